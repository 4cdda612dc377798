/* The four shedding games with their default options, on ranks alone: suits never matter to a bot.
 *
 * `games.rules` has the rules; this repeats them for speed, and `python -m training check` compares the two move by move.
 * Ranks are numbers: 0 to 12 for 2 to ace, 13 for a joker. A seat's zones are counts by rank. What everybody knows of a
 * hand (`games.bots.shedding.memory`) is how many of each rank are `known` to be there, and of which ranks each of the
 * `unknown` cards `cannot` be, a bit for each; the oldest comes first.
 */
#ifndef RULES_H
#define RULES_H
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { RANKS = 14, JOKER = 13, NOTHING = 14, SEATS = 6, MOST_CARDS = 112, TEN = 8, JACK = 9, MOST_UNKNOWN = 4 };
enum { THREE_CARD, TRIPP_JOKES, THREES, CASTLE };
enum { NO_BONUS, MAY, MUST };
enum { ARRANGE, PLAY, FLIP, PICK_UP, DRAW, END_TURN };
enum { BY_NOTHING, BY_OUT, BY_STALEMATE };

typedef struct {
    int8_t hand[RANKS], up[RANKS], dealt_up[RANKS], down[3], shown[3];
    int8_t in_hand, in_up, arranged;
    int8_t known[RANKS], unknown;
    uint16_t cannot[MOST_UNKNOWN];
} Seat;

typedef struct {
    int32_t game, seats, direction, turn, bonus, openers, opening_rank, setup, stalled, patience, ended, out;
    int32_t stock_count, pile_count, took, progress;
    Seat seat[SEATS];
    int8_t stock[MOST_CARDS], pile[MOST_CARDS], gone[RANKS], drawn[RANKS];
} State; /* The top of the stock is its last card. `drawn` is what the last move drew, `took` whether it picked up. */

typedef struct { int32_t kind, rank, count, most, position; int8_t face_up[RANKS]; } Move;
typedef struct { int closes, bonus, takes_below, reversals; } Outcome;

static const char *const WILD[] = {"2T", "23TX", "28X", "2T"};
static const char NAMES[] = "23456789TJQKAX";
static int IS_WILD[4][RANKS], GOES[4][RANKS + 1][RANKS];

static int rank_of(char name) { return (int)(strchr(NAMES, name) - NAMES); }

static void prepare_rules(void) {
    for (int game = 0; game < 4; game++) {
        for (const char *name = WILD[game]; *name; name++) IS_WILD[game][rank_of(*name)] = 1;
        for (int beat = 0; beat <= RANKS; beat++)
            for (int rank = 0; rank < RANKS; rank++) {
                int lower = beat == 5 && (game == THREES || game == CASTLE); /* TH4, CA5 */
                GOES[game][beat][rank] = beat == NOTHING || IS_WILD[game][rank] ||
                                         (rank != JOKER && (lower ? rank <= beat : rank >= beat));
            }
    }
}

static int has_jokers(int game) { return game == TRIPP_JOKES || game == THREES; }

static int decks(int game, int seats) {
    if (game == THREE_CARD) return (seats + 3) / 4;
    if (game == TRIPP_JOKES) return seats <= 3 ? 1 : 2;
    return game == THREES && seats > 2 ? 2 : 1;
}

static int to_beat(int game, const int8_t *pile, int count) {
    for (int at = count - 1; at >= 0; at--) {
        int rank = pile[at];
        if (game == TRIPP_JOKES) {
            if (rank != 1) return IS_WILD[game][rank] ? NOTHING : rank;
        } else if (game == THREES) {
            if (rank != 6) return rank == 0 || rank == JOKER ? NOTHING : rank;
        } else {
            return rank == 0 ? NOTHING : rank;
        }
    }
    return NOTHING;
}

static int in_a_row(const int8_t *pile, int count, int skipping) {
    int rank = -1, found = 0;
    for (int at = count - 1; at >= 0; at--) {
        if (pile[at] == skipping) continue;
        if (rank >= 0 && pile[at] != rank) break;
        rank = pile[at], found++;
    }
    return found;
}

static Outcome outcome(int game, const int8_t *pile, int count, int played) {
    Outcome plain = {0}, again = {0, MAY, 0, 0}, closes = {1, MAY, 0, 0};
    int rank = pile[count - 1];
    if (game == THREES) {
        closes.bonus = MUST;
        int four = in_a_row(pile, count, rank == 6 ? -1 : 6) >= 4;
        return rank == TEN || rank == JOKER || four ? closes : plain;
    }
    if (game == TRIPP_JOKES) {
        if (in_a_row(pile, count, -1) >= 3 || rank == TEN) return closes;
        plain.takes_below = rank == JOKER;
        return rank == 0 ? again : plain;
    }
    if (game == CASTLE) {
        plain.reversals = rank == JACK ? played : 0;
        closes.reversals = plain.reversals;
        closes.bonus = rank != TEN && played < 4 ? MAY : NO_BONUS;
    }
    if (rank == TEN || in_a_row(pile, count, -1) >= 4) return closes;
    return rank == 0 ? again : plain;
}

static int cards_down(const Seat *seat) { return (seat->down[0] >= 0) + (seat->down[1] >= 0) + (seat->down[2] >= 0); }
static int cards_left(const Seat *seat) { return seat->in_hand + seat->in_up + cards_down(seat); }

static int may_act(const State *state, int seat) {
    if (state->setup) return !state->seat[seat].arranged;
    return seat == state->turn || (state->turn < 0 && (state->openers >> seat & 1));
}

static const int *playable(const State *state) {
    static int only[RANKS][RANKS];
    if (state->opening_rank >= 0) {
        only[state->opening_rank][state->opening_rank] = 1;
        return only[state->opening_rank];
    }
    return GOES[state->game][to_beat(state->game, state->pile, state->pile_count)];
}

/* The cards with which a seat may complete a set of four out of turn (CA9c): how many, or 0. */
static int interruption(const State *state, int seat) {
    if (state->game != CASTLE || state->setup || state->ended || !state->pile_count || state->openers) return 0;
    if (seat == state->turn) return 0;
    const Seat *me = &state->seat[seat];
    int held = (me->in_hand ? me->hand : me->up)[state->pile[state->pile_count - 1]];
    return held && held == 4 - in_a_row(state->pile, state->pile_count, -1) ? held : 0;
}

/* The legal moves but for arranging, one for each rank as `legal_moves` lists them; `most` of a rank may be played. */
static int legal_moves(const State *state, int seat, Move *moves) {
    const Seat *me = &state->seat[seat];
    int made = 0, can = 0, held;
    if (!may_act(state, seat)) {
        if (!(held = interruption(state, seat))) return 0;
        moves[0] = (Move){.kind = PLAY, .rank = state->pile[state->pile_count - 1], .count = held, .most = held};
        return 1;
    }
    if (!me->in_hand && !me->in_up) {
        for (int position = 0; position < 3; position++)
            if (me->down[position] >= 0) moves[made++] = (Move){.kind = FLIP, .position = position};
        can = 1;
    } else {
        const int8_t *zone = me->in_hand ? me->hand : me->up;
        const int *goes = playable(state);
        for (int rank = 0; rank < RANKS; rank++)
            if (zone[rank] && goes[rank]) {
                int merges = state->game == TRIPP_JOKES && !state->stock_count && zone[rank] == me->in_hand;
                int along = merges ? me->up[rank] : 0;
                moves[made++] = (Move){.kind = PLAY, .rank = rank, .count = 1, .most = zone[rank] + along};
            }
        can = made > 0;
        if (!can) moves[made++] = (Move){.kind = PICK_UP};
    }
    if (state->stock_count && !state->openers) {
        if (state->game == THREE_CARD && state->bonus && me->in_hand < 3) moves[made++] = (Move){.kind = DRAW};
        if (state->game == CASTLE && (!state->pile_count || (!can && me->in_hand == 3)))
            moves[made++] = (Move){.kind = DRAW};
    }
    if (state->bonus == MAY) moves[made++] = (Move){.kind = END_TURN};
    return made;
}

static void to_hand(Seat *me, int rank) { me->hand[rank]++, me->in_hand++; }

static void to_hand_unseen(Seat *me, int rank) { to_hand(me, rank), me->cannot[me->unknown++] = 0; }

/* Everybody sees that no card of a hand can be played. */
static void see_no_play(const State *state, Seat *me) {
    const int *goes = playable(state);
    for (int rank = 0; rank < RANKS; rank++)
        for (int n = 0; n < me->unknown; n++) me->cannot[n] = (uint16_t)(me->cannot[n] | (goes[rank] != 0) << rank);
}

/* Known cards are played first, since equal ranks are all the same; then the oldest card that can be it, of which most is
 * known. */
static void forget(Seat *me, int rank, int count) {
    for (; count; count--) {
        int at = 0;
        if (me->known[rank]) {
            me->known[rank]--;
            continue;
        }
        while (me->cannot[at] >> rank & 1) at++;
        for (me->unknown--; at < me->unknown; at++) me->cannot[at] = me->cannot[at + 1];
    }
}

static void take(State *state, Seat *me, int count) {
    for (int at = 0; at < count; at++) to_hand(me, state->pile[at]), me->known[state->pile[at]]++;
    state->pile_count -= count;
    memmove(state->pile, state->pile + count, (size_t)state->pile_count);
    state->took = 1;
}

static void refill(State *state, Seat *me) {
    for (; me->in_hand < 3 && state->stock_count; state->progress = 1) {
        int rank = state->stock[--state->stock_count];
        to_hand_unseen(me, rank), state->drawn[rank]++;
    }
    if (state->game == THREE_CARD && !me->in_hand && me->in_up) { /* TC8 */
        memcpy(me->hand, me->up, RANKS), memcpy(me->known, me->up, RANKS), memset(me->up, 0, RANKS);
        me->in_hand = me->in_up, me->in_up = 0, state->progress = 1;
    }
}

static int goes_out(State *state, int seat) {
    if (cards_left(&state->seat[seat])) return 0;
    state->ended = BY_OUT, state->out = seat, state->turn = -1, state->stalled = 0;
    return 1;
}

static int count_stalled(State *state) {
    state->stalled = state->progress ? 0 : state->stalled + state->took;
    if (!state->took || state->stalled < state->patience * state->seats) return 0;
    state->ended = BY_STALEMATE, state->turn = -1;
    return 1;
}

static void finish_turn(State *state, int seat, int bonus) {
    Seat *me = &state->seat[seat];
    if (!bonus || state->game == THREES || !me->in_hand) refill(state, me);
    if (goes_out(state, seat) || count_stalled(state)) return;
    int holder = state->turn < 0 ? seat : state->turn;
    state->turn = bonus ? seat : (holder + state->direction + state->seats) % state->seats;
    state->bonus = bonus;
}

static int lay(State *state, int rank, int count) {
    for (int n = 0; n < count; n++) state->pile[state->pile_count++] = (int8_t)rank;
    state->openers = 0, state->opening_rank = -1;
    Outcome effect = outcome(state->game, state->pile, state->pile_count, count);
    if (effect.reversals % 2) state->direction = -state->direction;
    if (effect.closes) {
        for (int at = 0; at < state->pile_count; at++) state->gone[state->pile[at]]++;
        state->pile_count = 0, state->progress = 1;
    }
    return effect.takes_below && !effect.closes ? -1 : effect.bonus;
}

static void finish_pick_up(State *state, int seat) {
    see_no_play(state, &state->seat[seat]);
    take(state, &state->seat[seat], state->pile_count);
    state->openers = 0, state->opening_rank = -1;
    finish_turn(state, seat, state->game == THREES ? MUST : NO_BONUS);
}

static void begin_play(State *state, int dealer) {
    static const char *const ORDER[] = {"3456789JQKA2T", "", "3456789TJQKA2X", "3456789TJQKA2"};
    state->setup = 0;
    for (int seat = 0; seat < state->seats; seat++) {
        Seat *one = &state->seat[seat];
        one->unknown = one->in_hand;
        for (int rank = 0; rank < RANKS; rank++) {
            int kept = one->dealt_up[rank] - one->up[rank];
            if (kept > 0) one->known[rank] = (int8_t)kept, one->unknown = (int8_t)(one->unknown - kept);
        }
    }
    if (state->game == TRIPP_JOKES) {
        state->turn = (dealer + state->seats - 1) % state->seats, state->openers = 1 << state->turn;
        return;
    }
    for (const char *name = ORDER[state->game]; *name && !state->openers; name++)
        for (int step = 1; step <= state->seats; step++) {
            int seat = (dealer + step) % state->seats;
            if (!state->seat[seat].hand[rank_of(*name)]) continue;
            if (!state->openers || state->game == CASTLE) {
                state->turn = state->openers ? -1 : seat, state->openers |= 1 << seat;
                state->opening_rank = state->game == THREES ? -1 : rank_of(*name);
            }
        }
}

static void apply(State *state, int seat, const Move *move, int dealer) {
    Seat *me = &state->seat[seat];
    int bonus, played = 1, interrupting = !state->setup && !may_act(state, seat), chosen = 0;
    state->took = state->progress = 0;
    memset(state->drawn, 0, RANKS);
    switch (move->kind) {
    case ARRANGE:
        for (int rank = 0; rank < RANKS; rank++) {
            me->hand[rank] = (int8_t)(me->hand[rank] + me->up[rank] - move->face_up[rank]);
            me->up[rank] = move->face_up[rank];
        }
        me->in_hand = me->in_up = 3, me->arranged = 1;
        for (int other = 0; other < state->seats; other++) chosen += state->seat[other].arranged;
        if (chosen == state->seats) begin_play(state, dealer);
        return;
    case PLAY: {
        int from_hand = me->in_hand ? (move->count < me->hand[move->rank] ? move->count : me->hand[move->rank]) : 0;
        int from_up = move->count - from_hand;
        me->hand[move->rank] = (int8_t)(me->hand[move->rank] - from_hand), me->in_hand = (int8_t)(me->in_hand - from_hand);
        forget(me, move->rank, from_hand);
        me->up[move->rank] = (int8_t)(me->up[move->rank] - from_up), me->in_up = (int8_t)(me->in_up - from_up);
        state->progress = from_up > 0;
        played = move->count, bonus = lay(state, move->rank, played);
        break;
    }
    case FLIP: {
        int rank = me->down[move->position];
        if (!playable(state)[rank]) {
            if (state->game == CASTLE) { /* CA11 */
                me->shown[move->position] = 1;
            } else {
                me->down[move->position] = -1, state->progress = 1, to_hand(me, rank), me->known[rank]++;
            }
            finish_pick_up(state, seat);
            return;
        }
        me->down[move->position] = -1, me->shown[move->position] = 0, state->progress = 1;
        bonus = lay(state, rank, 1);
        break;
    }
    case DRAW: {
        if (state->game == THREE_CARD) {
            refill(state, me), count_stalled(state);
            return;
        }
        int rank = state->stock[--state->stock_count];
        if (state->pile_count) see_no_play(state, me);
        state->progress = 1;
        if (!playable(state)[rank]) {
            to_hand_unseen(me, rank), finish_pick_up(state, seat);
            return;
        }
        bonus = lay(state, rank, 1);
        break;
    }
    case END_TURN: finish_turn(state, seat, NO_BONUS); return;
    default: finish_pick_up(state, seat); return;
    }
    if (bonus < 0) { /* TJ9 */
        if (state->pile_count > played) take(state, me, state->pile_count - played);
        bonus = NO_BONUS;
    }
    if (interrupting) {
        refill(state, me);
        if (!goes_out(state, seat)) count_stalled(state);
        return;
    }
    finish_turn(state, seat, bonus);
}

/* The share of the first place that a seat has when the game is over. */
static float share_of_win(const State *state, int seat) {
    if (state->ended == BY_OUT) return state->out == seat ? 1.0f : 0.0f;
    int mine = cards_left(&state->seat[seat]), equal = 0;
    for (int other = 0; other < state->seats; other++) {
        int held = cards_left(&state->seat[other]);
        if (held < mine) return 0.0f;
        equal += held == mine;
    }
    return 1.0f / (float)equal;
}

static void deal(State *state, int game, int seats, int dealer, const int8_t *order, int count, int patience) {
    memset(state, 0, sizeof *state);
    state->game = game, state->seats = seats, state->direction = 1, state->turn = -1, state->setup = 1;
    state->opening_rank = state->out = -1, state->patience = patience;
    for (int at = 0; at < 9 * seats; at++) {
        Seat *seat = &state->seat[(dealer + 1 + at) % seats];
        int number = at / seats, rank = order[at];
        if (number < 3) seat->down[number] = (int8_t)rank;
        else if (number < 6 && game == THREES) seat->up[rank]++, seat->dealt_up[rank]++, seat->in_up++;
        else to_hand(seat, rank);
    }
    for (int at = count - 1; at >= 9 * seats; at--) state->stock[state->stock_count++] = order[at];
    if (game == TRIPP_JOKES) state->pile[state->pile_count++] = state->stock[--state->stock_count];
}
#endif
