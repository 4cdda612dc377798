/* How a bot sees and rates positions: `games.bots.shedding` (table, position, forecast, features, network), for speed. */
#ifndef RATING_H
#define RATING_H
#include "rules.h"

enum { FIRST = 128, SECOND = 32, AHEAD = 5, OPPONENTS = 4, HAND = 3 };
/* Features by number, in the order in which `features.py` of this folder names them. */
enum {
    F_UNSEEN_CARDS, F_UNSEEN, F_SEEN_DOWN = F_UNSEEN + RANKS, F_OPPONENTS = F_SEEN_DOWN + RANKS, F_SETUP, F_OPPONENT,
    O_THERE = 0, O_CARDS, O_NEAR_END, O_HAND, O_HAND_OF, O_DOWN = O_HAND_OF + 4, O_UP = O_DOWN + 3,
    O_STUCK = O_UP + RANKS, O_STUCK_NEAR_END, O_STUCK_PILE, O_UNKNOWN, O_KNOWN, O_KNOWN_MORE = O_KNOWN + RANKS,
    O_MAYBE = O_KNOWN_MORE + RANKS, O_SIZE = O_MAYBE + RANKS,
    F_HAND = F_OPPONENT + OPPONENTS * O_SIZE, F_UP = F_HAND + 4 * RANKS, F_UP_MORE = F_UP + RANKS,
    F_DRAWN = F_UP_MORE + RANKS, F_DOWN = F_DRAWN + 3, F_NEAR_END = F_DOWN + 3, F_IN_HAND, F_HAND_ANY, F_HAND_SMALL,
    F_SURPLUS, F_STOCK, F_STOCK_3, F_STOCK_9, F_TO_BEAT, F_PILE = F_TO_BEAT + RANKS + 1, F_PILE_RANK,
    F_EQUAL_ON_TOP = F_PILE_RANK + RANKS, F_EQUAL_HELD, F_CAN_CLOSE, F_STAYS, F_GOES, F_STUCK = F_GOES + RANKS,
    F_STUCK_PILE, F_WINS, FEATURES
};

typedef struct {
    float rows[FEATURES][FIRST], bias[FIRST], hidden[FIRST][SECOND], hidden_bias[SECOND], output[SECOND], output_bias;
} Network;
enum { WEIGHTS = sizeof(Network) / sizeof(float) };

typedef struct {
    int8_t hand[RANKS], up[RANKS], pile[MOST_CARDS];
    int in_hand, known, drawn, in_up, down, pile_count, stock, direction;
} Position; /* `in_hand` counts the `known` cards of the hand and the `drawn` ones. */

typedef struct { float stuck[AHEAD], asked[RANKS + 1], stays; int made; } Round;
typedef struct { float can, after[RANKS + 1], still[RANKS + 1]; int made; } Step;

typedef struct {
    int hand, up_count, down_count, unknown;
    int8_t up[RANKS], down[3], known[RANKS];
    uint16_t cannot[MOST_UNKNOWN];
    float maybe[RANKS], plays[RANKS], fresh[RANKS + 1];
    Step step[RANKS + 1];
} Opponent;

typedef struct {
    int game, seats, setup, unseen_total, others, decks, own_down[3];
    int8_t unseen[RANKS], seen_down[RANKS];
    float chance[RANKS + 1];
    Opponent opponent[2][SEATS];
    Round round[2][RANKS + 1];
    Position position;
    const Network *networks;
    float sums[2][2][FIRST];
    int has_sums[2][2];
} Table;

typedef struct { int count; int16_t number[320]; float value[320]; } Sample;

static void add_feature(Sample *sample, int number, float value) {
    if (value == 0.0f) return;
    sample->number[sample->count] = (int16_t)number, sample->value[sample->count++] = value;
}
static float share(int count, int most) { return (float)(count < most ? count : most) / (float)most; }
static int way(int direction) { return direction < 0; }

static int cards_of(const Opponent *one) { return one->hand + one->up_count + one->down_count; }

static int unseen_of(const Table *table, int cannot, const int *goes) {
    int count = 0;
    for (int rank = 0; rank < RANKS; rank++)
        if (!(cannot >> rank & 1) && (!goes || goes[rank])) count += table->unseen[rank];
    return count;
}

/* Reckons what the unknown cards of an opponent's hand may be, what it may play, and what that asks for on an empty pile. */
static void guess(const Table *table, Opponent *one) {
    float total = 0.0f;
    for (int n = 0; n < one->unknown; n++) {
        int of = unseen_of(table, one->cannot[n], NULL);
        for (int rank = 0; rank < RANKS; rank++)
            if (table->unseen[rank] && !(one->cannot[n] >> rank & 1)) one->maybe[rank] += (float)table->unseen[rank] / (float)of;
    }
    for (int rank = 0; rank < RANKS; rank++) {
        one->maybe[rank] = fminf(1.0f, one->maybe[rank]);
        one->plays[rank] = one->hand       ? (one->known[rank] ? 1.0f : one->maybe[rank])
                           : one->up_count ? (float)(one->up[rank] > 0)
                                           : (float)table->unseen[rank];
        total += one->plays[rank];
    }
    if (total == 0.0f) one->fresh[NOTHING] = 1.0f;
    for (int rank = 0; rank < RANKS; rank++) {
        if (one->plays[rank] == 0.0f) continue;
        int8_t pile[1] = {(int8_t)rank};
        int beat = outcome(table->game, pile, 1, 1).closes ? NOTHING : to_beat(table->game, pile, 1);
        one->fresh[beat] += one->plays[rank] / total;
    }
}

static void see(Table *table, const State *state, int me, const Network *networks) {
    memset(table, 0, sizeof *table);
    table->game = state->game, table->seats = state->seats, table->setup = state->setup, table->networks = networks;
    const Seat *own = &state->seat[me];
    Position *position = &table->position;
    memcpy(position->hand, own->hand, RANKS), memcpy(position->up, own->up, RANKS);
    memcpy(position->pile, state->pile, (size_t)state->pile_count);
    position->in_hand = position->known = own->in_hand, position->in_up = own->in_up, position->down = cards_down(own);
    position->pile_count = state->pile_count, position->stock = state->stock_count;
    position->direction = state->direction;
    table->decks = decks(state->game, state->seats);
    for (int rank = 0; rank < RANKS; rank++)
        table->unseen[rank] = (int8_t)(rank < JOKER ? 4 * table->decks : has_jokers(state->game) ? 2 * table->decks : 0);
    for (int rank = 0; rank < RANKS; rank++) {
        table->unseen[rank] = (int8_t)(table->unseen[rank] - state->gone[rank] - own->hand[rank]);
        for (int seat = 0; seat < state->seats; seat++) {
            const Seat *other = &state->seat[seat];
            if (seat != me) table->unseen[rank] = (int8_t)(table->unseen[rank] - other->known[rank]);
            table->unseen[rank] =
                (int8_t)(table->unseen[rank] - (state->setup && seat != me ? other->dealt_up : other->up)[rank]);
            for (int n = 0; n < 3; n++)
                if (other->shown[n] && other->down[n] == rank) table->unseen[rank]--;
        }
    }
    for (int at = 0; at < state->pile_count; at++) table->unseen[state->pile[at]]--;
    for (int rank = 0; rank < RANKS; rank++) table->unseen_total += table->unseen[rank];
    for (int n = 0; n < 3; n++) {
        table->own_down[n] = own->shown[n] ? own->down[n] : -1;
        if (own->shown[n]) table->seen_down[own->down[n]] = 1;
    }
    table->others = state->seats - 1;
    for (int turned = 0; turned < 2; turned++)
        for (int step = 1; step < state->seats; step++) {
            int seat = (me + (turned ? -step : step) + state->seats) % state->seats;
            const Seat *other = &state->seat[seat];
            Opponent *seen = &table->opponent[turned][step - 1];
            seen->hand = other->in_hand, seen->up_count = other->in_up;
            memcpy(seen->up, other->up, RANKS), memcpy(seen->known, other->known, RANKS);
            memcpy(seen->cannot, other->cannot, sizeof seen->cannot), seen->unknown = other->unknown;
            for (int n = 0; n < 3; n++)
                if (other->down[n] >= 0)
                    seen->down[seen->down_count++] = other->shown[n] ? other->down[n] : NOTHING;
            guess(table, seen);
        }
    for (int beat = 0; beat <= RANKS; beat++) {
        int fitting = 0;
        for (int rank = 0; rank < RANKS; rank++) fitting += GOES[state->game][beat][rank] ? table->unseen[rank] : 0;
        table->chance[beat] = table->unseen_total ? (float)fitting / (float)table->unseen_total : 0.0f;
    }
}

/* The forecast: see `forecast.py` of the bot. */
static float can_go_on(const Table *table, const Opponent *one, int beat) {
    const int *goes = GOES[table->game][beat];
    if (one->hand) {
        float fails = 1.0f;
        for (int rank = 0; rank < RANKS; rank++)
            if (one->known[rank] && goes[rank]) return 1.0f;
        for (int n = 0; n < one->unknown; n++) {
            int of = unseen_of(table, one->cannot[n], NULL);
            if (of) fails *= 1.0f - (float)unseen_of(table, one->cannot[n], goes) / (float)of;
        }
        return 1.0f - fails;
    }
    if (one->up_count) {
        for (int rank = 0; rank < RANKS; rank++)
            if (one->up[rank] && goes[rank]) return 1.0f;
        return 0.0f;
    }
    if (!one->down_count) return 1.0f;
    float can = 0.0f;
    for (int n = 0; n < one->down_count; n++)
        can += one->down[n] == NOTHING ? table->chance[beat] : (float)goes[one->down[n]];
    return can / (float)one->down_count;
}

/* What one play of a rank on a pile that asks for `beat` leads to; filled by `prepare_steps`. */
static struct { int8_t to, again, stops; } STEPS[4][RANKS + 1][RANKS];

static void prepare_steps(void) {
    for (int game = 0; game < 4; game++)
        for (int beat = 0; beat <= RANKS; beat++)
            for (int rank = 0; rank < RANKS; rank++) {
                int8_t pile[2] = {(int8_t)beat, (int8_t)rank};
                int below = beat != NOTHING;
                Outcome effect = outcome(game, pile + !below, 1 + below, 1);
                STEPS[game][beat][rank].again = effect.bonus != NO_BONUS;
                STEPS[game][beat][rank].stops = effect.closes || effect.takes_below;
                STEPS[game][beat][rank].to =
                    effect.closes || effect.takes_below ? NOTHING : (int8_t)to_beat(game, pile + !below, 1 + below);
            }
}

/* The chance that an opponent can go on, what the pile asks for after its turn if it can, and the part of that in which
 * the pile was not closed. */
static const Step *step_from(const Table *table, Opponent *one, int beat) {
    const int *goes = GOES[table->game][beat];
    Step *step = &one->step[beat];
    float total = 0.0f;
    if (step->made) return step;
    step->made = 1, step->can = can_go_on(table, one, beat);
    for (int rank = 0; rank < RANKS; rank++) total += goes[rank] ? one->plays[rank] : 0.0f;
    if (total == 0.0f) step->after[NOTHING] = 1.0f;
    for (int rank = 0; rank < RANKS; rank++) {
        if (!goes[rank] || one->plays[rank] == 0.0f) continue;
        float part = one->plays[rank] / total;
        int stops = STEPS[table->game][beat][rank].stops, to = STEPS[table->game][beat][rank].to;
        if (STEPS[table->game][beat][rank].again) {
            for (int fresh = 0; fresh <= RANKS; fresh++) {
                step->after[fresh] += part * one->fresh[fresh];
                if (!stops) step->still[fresh] += part * one->fresh[fresh];
            }
        } else {
            step->after[to] += part;
            if (!stops) step->still[to] += part;
        }
    }
    return step;
}

static const Round *round_from(Table *table, int direction, int beat) {
    Round *round = &table->round[way(direction)][beat];
    if (round->made) return round;
    float staying[RANKS + 1] = {0};
    round->made = 1, round->asked[beat] = staying[beat] = 1.0f;
    for (int number = 0; number < table->others && number < AHEAD; number++) {
        Opponent *one = &table->opponent[way(direction)][number];
        float after[RANKS + 1] = {0}, still[RANKS + 1] = {0}, fails = 0.0f;
        for (int now = 0; now <= RANKS; now++) {
            if (round->asked[now] == 0.0f) continue;
            const Step *step = step_from(table, one, now);
            float weight = round->asked[now] * step->can, stays = staying[now] * step->can;
            fails += round->asked[now] * (1.0f - step->can);
            for (int to = 0; to <= RANKS; to++) {
                after[to] += weight * step->after[to];
                still[to] += stays * step->still[to];
            }
        }
        if (table->game == THREES)
            for (int to = 0; to <= RANKS; to++) after[to] += fails * one->fresh[to];
        else
            after[NOTHING] += fails;
        round->stuck[number] = fails;
        memcpy(round->asked, after, sizeof after), memcpy(staying, still, sizeof still);
    }
    for (int to = 0; to <= RANKS; to++) round->stays += staying[to];
    return round;
}

/* The features: see `features.py` of the bot. */
static void features_of_table(const Table *table, int direction, Sample *sample) {
    add_feature(sample, F_UNSEEN_CARDS, share(table->unseen_total, 80));
    for (int rank = 0; rank < RANKS; rank++) {
        add_feature(sample, F_UNSEEN + rank, (float)table->unseen[rank] / (float)(4 * table->decks));
        add_feature(sample, F_SEEN_DOWN + rank, table->seen_down[rank]);
    }
    add_feature(sample, F_OPPONENTS, share(table->others < AHEAD ? table->others : AHEAD, AHEAD));
    add_feature(sample, F_SETUP, (float)table->setup);
    for (int number = 0; number < table->others && number < OPPONENTS; number++) {
        const Opponent *one = &table->opponent[way(direction)][number];
        int base = F_OPPONENT + number * O_SIZE, cards = cards_of(one);
        add_feature(sample, base + O_THERE, 1.0f);
        if (table->setup) continue;
        add_feature(sample, base + O_CARDS, share(cards, 30));
        add_feature(sample, base + O_NEAR_END, 1.0f / (float)(cards > 1 ? cards : 1));
        add_feature(sample, base + O_HAND, share(one->hand, 15));
        if (one->hand <= HAND) add_feature(sample, base + O_HAND_OF + one->hand, 1.0f);
        if (one->down_count) add_feature(sample, base + O_DOWN + one->down_count - 1, 1.0f);
        for (int rank = 0; rank < RANKS; rank++) add_feature(sample, base + O_UP + rank, share(one->up[rank], HAND));
        if (!one->hand) continue;
        add_feature(sample, base + O_UNKNOWN, share(one->unknown, HAND));
        for (int rank = 0; rank < RANKS; rank++) {
            add_feature(sample, base + O_MAYBE + rank, one->maybe[rank]);
            if (!one->known[rank]) continue;
            add_feature(sample, base + O_KNOWN + rank, 1.0f);
            add_feature(sample, base + O_KNOWN_MORE + rank, share(one->known[rank] - 1, HAND));
        }
    }
}

static int kinds(const int8_t *zone) {
    int found = 0;
    for (int rank = 0; rank < RANKS; rank++) found += zone[rank] > 0;
    return found;
}

static int is_one_play(const Position *at) {
    if (at->in_hand) return kinds(at->hand) + at->drawn == 1 && !at->in_up && !at->down;
    if (at->in_up) return kinds(at->up) == 1 && !at->down;
    return at->down == 1;
}

static void features_of_pile(const Table *table, const Position *at, const int8_t *active, Sample *sample) {
    int8_t pile[MOST_CARDS + 8], count[RANKS] = {0};
    add_feature(sample, F_TO_BEAT + to_beat(table->game, at->pile, at->pile_count), 1.0f);
    if (!at->pile_count) return;
    add_feature(sample, F_PILE, share(at->pile_count, 20));
    for (int n = 0; n < at->pile_count; n++) count[at->pile[n]]++;
    for (int rank = 0; rank < RANKS; rank++) add_feature(sample, F_PILE_RANK + rank, share(count[rank], 4));
    add_feature(sample, F_EQUAL_ON_TOP, share(in_a_row(at->pile, at->pile_count, -1), 3));
    int top = at->pile[at->pile_count - 1], held = active[top];
    if (!held) return;
    add_feature(sample, F_EQUAL_HELD, share(held, 3));
    memcpy(pile, at->pile, (size_t)at->pile_count), memset(pile + at->pile_count, top, (size_t)held);
    if (outcome(table->game, pile, at->pile_count + held, held).closes) add_feature(sample, F_CAN_CLOSE, 1.0f);
}

static void features_of_next_turn(Table *table, const Position *at, const int8_t *active, Sample *sample) {
    const Round *ahead = round_from(table, at->direction, to_beat(table->game, at->pile, at->pile_count));
    int any = at->in_hand ? at->known : at->in_up, unknown = any || at->drawn ? at->drawn : 1;
    float pile = share(at->pile_count, 20), stuck = 0.0f, goes[RANKS] = {0};
    add_feature(sample, F_STAYS, ahead->stays);
    for (int beat = 0; beat <= RANKS; beat++) {
        float weight = ahead->asked[beat];
        int can = beat == NOTHING;
        if (weight == 0.0f) continue;
        for (int rank = 0; rank < RANKS; rank++)
            if (active[rank] && GOES[table->game][beat][rank]) goes[rank] += weight, can = 1;
        if (!can) stuck += unknown ? weight * powf(1.0f - table->chance[beat], (float)unknown) : weight;
    }
    for (int rank = 0; rank < RANKS; rank++) add_feature(sample, F_GOES + rank, goes[rank]);
    add_feature(sample, F_STUCK, stuck);
    add_feature(sample, F_STUCK_PILE, stuck * ahead->stays * pile);
    if (is_one_play(at)) add_feature(sample, F_WINS, 1.0f - stuck);
    for (int number = 0; number < table->others && number < OPPONENTS; number++) {
        int base = F_OPPONENT + number * O_SIZE, cards = cards_of(&table->opponent[way(at->direction)][number]);
        float fails = ahead->stuck[number];
        add_feature(sample, base + O_STUCK, fails);
        add_feature(sample, base + O_STUCK_NEAR_END, fails / (float)(cards > 1 ? cards : 1));
        add_feature(sample, base + O_STUCK_PILE, fails * pile);
    }
}

static void features_of_position(Table *table, const Position *at, Sample *sample) {
    const int8_t *active = at->in_hand ? at->hand : at->up;
    for (int rank = 0; rank < RANKS; rank++) {
        for (int n = 0; n < at->hand[rank] && n < 4; n++) add_feature(sample, F_HAND + 4 * rank + n, 1.0f);
        if (!at->up[rank]) continue;
        add_feature(sample, F_UP + rank, 1.0f);
        if (at->up[rank] > 1) add_feature(sample, F_UP_MORE + rank, share(at->up[rank] - 1, HAND - 1));
    }
    for (int n = 0; n < at->drawn && n < 3; n++) add_feature(sample, F_DRAWN + n, 1.0f);
    for (int n = 0; n < at->down; n++) add_feature(sample, F_DOWN + n, 1.0f);
    int cards = at->in_hand + at->in_up + at->down, hand = at->in_hand < 30 ? at->in_hand : 30;
    add_feature(sample, F_NEAR_END, 1.0f / (float)(cards > 1 ? cards : 1));
    if (at->in_hand) {
        add_feature(sample, F_IN_HAND, (float)hand / 30.0f);
        add_feature(sample, F_HAND_ANY, 1.0f);
        add_feature(sample, F_HAND_SMALL, 1.0f / (float)at->in_hand);
        if (hand > HAND) add_feature(sample, F_SURPLUS, (float)(hand - HAND) / (30.0f - HAND));
    }
    if (at->stock) {
        add_feature(sample, F_STOCK, share(at->stock, 40));
        if (at->stock <= HAND) add_feature(sample, F_STOCK_3, 1.0f);
        if (at->stock <= 3 * HAND) add_feature(sample, F_STOCK_9, 1.0f);
    }
    if (table->setup) {
        add_feature(sample, F_TO_BEAT + NOTHING, 1.0f);
        return;
    }
    features_of_pile(table, at, active, sample);
    features_of_next_turn(table, at, active, sample);
}

/* The network: see `network.py` of the bot. */
typedef float Eight __attribute__((vector_size(32), aligned(4), may_alias));

/* In vectors: left to itself a compiler may take one unit after another, which is much slower. */
static void add_rows(const Network *network, const Sample *sample, int from, float *sums) {
    Eight *to = (Eight *)sums, total[FIRST / 8];
    for (int part = 0; part < FIRST / 8; part++) total[part] = to[part];
    for (int n = from; n < sample->count; n++) {
        const Eight *row = (const Eight *)network->rows[sample->number[n]];
        for (int part = 0; part < FIRST / 8; part++) total[part] += sample->value[n] * row[part];
    }
    for (int part = 0; part < FIRST / 8; part++) to[part] = total[part];
}

static float chance_of(const Network *network, const float *sums, float *first, float *second) {
    float logit = network->output_bias;
    for (int unit = 0; unit < FIRST; unit++) first[unit] = sums[unit] > 0.0f ? sums[unit] : 0.0f;
    float total[SECOND];
    memcpy(total, network->hidden_bias, sizeof total);
    for (int n = 0; n < FIRST; n++) {
        const float *row = network->hidden[n];
        float above = first[n];
        if (above <= 0.0f) continue;
        for (int unit = 0; unit < SECOND; unit++) total[unit] += row[unit] * above;
    }
    for (int unit = 0; unit < SECOND; unit++) {
        second[unit] = total[unit] > 0.0f ? total[unit] : 0.0f;
        logit += network->output[unit] * second[unit];
    }
    return 1.0f / (1.0f + expf(-fmaxf(-30.0f, fminf(30.0f, logit))));
}

static int is_out(const Position *at) { return !at->in_hand && !at->in_up && !at->down; }

/* The chance to win in a position in which the others are to move. */
static float chance_in(Table *table, const Position *at) {
    Sample sample;
    float sums[FIRST], first[FIRST], second[SECOND];
    if (is_out(at)) return 1.0f;
    sample.count = 0;
    int network = at->stock == 0, turned = way(at->direction);
    if (!table->has_sums[network][turned]) {
        memcpy(table->sums[network][turned], table->networks[network].bias, sizeof sums);
        features_of_table(table, at->direction, &sample);
        add_rows(&table->networks[network], &sample, 0, table->sums[network][turned]);
        table->has_sums[network][turned] = 1, sample.count = 0;
    }
    memcpy(sums, table->sums[network][turned], sizeof sums);
    features_of_position(table, at, &sample);
    add_rows(&table->networks[network], &sample, 0, sums);
    return chance_of(&table->networks[network], sums, first, second);
}
#endif
