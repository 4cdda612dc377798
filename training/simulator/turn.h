/* The search through one's own turn: `games.bots.shedding.turn`, for speed. */
#ifndef TURN_H
#define TURN_H
#include "rating.h"

enum { MOST_RATED = 240, DEPTH = 3 };
#define MORE 1e-6f
#define FAR 1e9f /* better or worse than any rating */

typedef struct { Table *table; int made, last; } Turn;

static float rated(Turn *turn, const Position *at) {
    turn->made++;
    return chance_in(turn->table, at);
}

static int is_spent(const Turn *turn) { return turn->made >= turn->last; }

static Position filled(const Table *table, Position at) {
    int draws = HAND - at.in_hand < at.stock ? HAND - at.in_hand : at.stock;
    if (draws > 0) at.drawn += draws, at.in_hand += draws, at.stock -= draws;
    if (table->game == THREE_CARD && !at.in_hand) {
        memcpy(at.hand, at.up, RANKS), memset(at.up, 0, RANKS);
        at.in_hand = at.known = at.in_up, at.in_up = 0;
    }
    return at;
}

static Position with_pile(Position at, int keeping) {
    int taken = at.pile_count - keeping;
    for (int n = 0; n < taken; n++) at.hand[at.pile[n]]++;
    memmove(at.pile, at.pile + taken, (size_t)keeping);
    at.in_hand += taken, at.known += taken, at.pile_count = keeping;
    return at;
}

static float go_on(Turn *turn, const Position *at, int bonus, int depth);

static float after_pick_up(Turn *turn, const Position *at, int depth) {
    Position picked = with_pile(*at, 0);
    return turn->table->game == THREES ? go_on(turn, &picked, MUST, depth + 1) : rated(turn, &picked);
}

/* Puts cards on the pile that are in no zone any more; returns the bonus play. */
static int put(const Table *table, Position *at, int rank, int count) {
    for (int n = 0; n < count; n++) at->pile[at->pile_count++] = (int8_t)rank;
    Outcome effect = outcome(table->game, at->pile, at->pile_count, count);
    if (effect.closes) at->pile_count = 0;
    if (effect.reversals % 2) at->direction = -at->direction;
    if (effect.takes_below && !effect.closes) *at = with_pile(*at, count);
    if (!effect.bonus || table->game == THREES || !at->in_hand) *at = filled(table, *at);
    return effect.bonus;
}

static float lay_down(Turn *turn, Position at, int rank, int count, int depth) {
    int bonus = put(turn->table, &at, rank, count);
    return is_out(&at) || !bonus ? rated(turn, &at) : go_on(turn, &at, bonus, depth + 1);
}

static Position without(Position at, int rank, int count) {
    int from_hand = at.in_hand ? (count < at.hand[rank] ? count : at.hand[rank]) : 0, from_up = count - from_hand;
    at.hand[rank] = (int8_t)(at.hand[rank] - from_hand), at.up[rank] = (int8_t)(at.up[rank] - from_up);
    at.in_hand -= from_hand, at.known -= from_hand, at.in_up -= from_up;
    return at;
}

static float after_play(Turn *turn, const Position *at, int rank, int count, int depth) {
    return lay_down(turn, without(*at, rank, count), rank, count, depth);
}

static float after_flip(Turn *turn, const Position *at, int known, int depth) {
    const Table *table = turn->table;
    const int *goes = GOES[table->game][to_beat(table->game, at->pile, at->pile_count)];
    Position flipped = *at;
    float rating = 0.0f, failing = 0.0f;
    flipped.down--;
    for (int rank = 0; rank < RANKS; rank++) {
        float count = known >= 0 ? (float)(rank == known) : (float)table->unseen[rank];
        if (count == 0.0f) continue;
        if (goes[rank]) {
            rating += count * lay_down(turn, flipped, rank, 1, depth);
        } else if (table->game == CASTLE) {
            failing += count;
        } else {
            Position kept = flipped;
            kept.hand[rank]++, kept.in_hand++, kept.known++;
            rating += count * after_pick_up(turn, &kept, depth + 1);
        }
    }
    if (failing > 0.0f) rating += failing * after_pick_up(turn, at, depth + 1);
    if (known >= 0) return rating;
    return table->unseen_total ? rating / (float)table->unseen_total : rated(turn, at);
}

static float after_gamble(Turn *turn, const Position *at) {
    const Table *table = turn->table;
    const int *goes = GOES[table->game][to_beat(table->game, at->pile, at->pile_count)];
    Position left = *at;
    float rating = 0.0f;
    left.stock--;
    for (int rank = 0; rank < RANKS; rank++) {
        if (!table->unseen[rank]) continue;
        Position kept = left;
        kept.hand[rank]++, kept.in_hand++, kept.known++;
        rating += (float)table->unseen[rank] *
                  (goes[rank] ? lay_down(turn, left, rank, 1, DEPTH) : after_pick_up(turn, &kept, DEPTH));
    }
    return rating / (float)table->unseen_total;
}

static float after_best(Turn *turn, const Position *at, int beat, int depth, int *is_any) {
    const Table *table = turn->table;
    const int8_t *zone = at->in_hand ? at->hand : at->up;
    int all = at->in_hand ? at->known : at->in_up;
    int merging = table->game == TRIPP_JOKES && !at->stock && !at->drawn && at->in_hand;
    float best = -FAR;
    for (int rank = 0; rank < RANKS; rank++) {
        int held = zone[rank];
        if (!held || !GOES[table->game][beat][rank]) continue;
        int most = held + (merging && held == all ? at->up[rank] : 0);
        for (int count = most; count > 0; count--) {
            if ((count > 4 && count != held && count != most) || (count == 2 && most != 2)) continue;
            *is_any = 1;
            best = fmaxf(best, after_play(turn, at, rank, count, depth));
            if (is_spent(turn)) return best;
        }
    }
    return best;
}

static float go_on(Turn *turn, const Position *at, int bonus, int depth) {
    Table *table = turn->table;
    Position full = filled(table, *at);
    float stop = bonus == MAY ? rated(turn, &full) : -FAR, rating;
    if (depth > DEPTH || is_spent(turn)) return bonus == MAY ? stop : rated(turn, at);
    int beat = to_beat(table->game, at->pile, at->pile_count), is_any = 0;
    rating = after_best(turn, at, beat, depth, &is_any);
    if (is_any) return fmaxf(rating, stop);
    if (at->drawn) {
        float can = 1.0f - powf(1.0f - table->chance[beat], (float)at->drawn);
        Position played = *at;
        played.drawn--, played.in_hand--, played.pile[played.pile_count++] = 6;
        played = filled(table, played);
        rating = can * rated(turn, &played);
        rating += (1.0f - can) * (bonus == MAY ? stop : rated(turn, at));
    } else if (at->in_hand || at->in_up || !at->down) {
        rating = after_pick_up(turn, at, depth);
    } else {
        rating = after_flip(turn, at, -1, depth);
    }
    return fmaxf(rating, stop);
}

/* The rating of a move, of `share` positions beyond the first ones. */
static float rate(Turn *turn, const Move *move, int share) {
    const Position *at = &turn->table->position;
    turn->last = turn->made + share;
    switch (move->kind) {
    case PLAY: return after_play(turn, at, move->rank, move->count, 0) + MORE * (float)move->count;
    case FLIP: return after_flip(turn, at, turn->table->own_down[move->position], 0);
    case PICK_UP: return after_pick_up(turn, at, 0);
    case DRAW: return turn->table->game == THREE_CARD ? FAR : after_gamble(turn, at);
    default: {
        Position full = filled(turn->table, *at);
        return rated(turn, &full);
    }
    }
}

/* The moves to think of: a few numbers of each rank, or the twenty ways to arrange (S2). */
static int moves_to_rate(const State *state, int seat, Move *moves) {
    if (!state->setup) {
        Move listed[RANKS + 8];
        int made = 0, count = legal_moves(state, seat, listed);
        for (int n = 0; n < count; n++) {
            if (listed[n].kind != PLAY) {
                moves[made++] = listed[n];
                continue;
            }
            int held = (state->seat[seat].in_hand ? state->seat[seat].hand : state->seat[seat].up)[listed[n].rank];
            for (int cards = listed[n].count; cards <= listed[n].most; cards++)
                if (cards <= 4 || cards == held || cards == listed[n].most)
                    moves[made] = listed[n], moves[made++].count = cards;
        }
        return made;
    }
    const Seat *me = &state->seat[seat];
    int six[6], count = 0, made = 0;
    for (int rank = 0; rank < RANKS; rank++)
        for (int n = 0; n < me->hand[rank] + me->up[rank]; n++) six[count++] = rank;
    for (int a = 0; a < 4; a++)
        for (int b = a + 1; b < 5; b++)
            for (int c = b + 1; c < 6; c++) {
                Move *move = &moves[made++];
                memset(move, 0, sizeof *move);
                move->kind = ARRANGE, move->face_up[six[a]]++, move->face_up[six[b]]++, move->face_up[six[c]]++;
            }
    return made;
}

static Position arranged(const Table *table, const Move *move) {
    Position at = table->position;
    for (int rank = 0; rank < RANKS; rank++) {
        at.hand[rank] = (int8_t)(at.hand[rank] + at.up[rank] - move->face_up[rank]);
        at.up[rank] = move->face_up[rank];
    }
    at.in_hand = at.known = at.in_up = HAND;
    return at;
}

/* Rates all moves; returns how many there are. */
static int rate_all(Table *table, const State *state, int seat, Move *moves, float *ratings) {
    Turn turn = {table, 0, 0};
    int count = moves_to_rate(state, seat, moves);
    for (int n = 0; n < count; n++) {
        if (state->setup) {
            Position at = arranged(table, &moves[n]);
            ratings[n] = rated(&turn, &at);
        } else {
            ratings[n] = rate(&turn, &moves[n], MOST_RATED / count);
        }
    }
    return count;
}
#endif
