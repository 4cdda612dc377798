/* Self-play and learning: TD(lambda) on the positions in which a bot's turns end, as in TD-Gammon. */
#include <stdlib.h>
#include "turn.h"

typedef struct { uint64_t at; } Chance;

static uint32_t draw_from(Chance *chance) { /* splitmix64 */
    uint64_t z = (chance->at += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}
static int below(Chance *chance, int most) { return (int)(((uint64_t)draw_from(chance) * (uint64_t)most) >> 32); }
static float part(Chance *chance) { return (float)(draw_from(chance) >> 8) * (1.0f / 16777216.0f); }

enum { MOST_TURNS = 400, MOST_MOVES = 4000, BATCH = 64 };
typedef struct { Sample sample; int network; float value, best; int strays; } Past;
typedef struct { Past *past; int count; float best; int strays; } Memory;

/* Epsilon, lambda, discount a turn against random bots and between bots alone, learning rate; how many games of 100 are
 * between bots alone, and when they settle. */
typedef struct { float exploring, keeping, turn, turn_alone, rate; int32_t alone, patience; } Settings;

typedef struct {
    Network networks[2];
    float gradient[2 * WEIGHTS], first[2 * WEIGHTS], second[2 * WEIGHTS];
    int batch;
    int64_t steps, samples;
    double loss;
    Past past[SEATS][MOST_TURNS];
} Learner;

static void take_step(Learner *learner, float rate) { /* Adam */
    float *weights = (float *)learner->networks, scale = 1.0f / (float)learner->batch;
    learner->steps++, learner->batch = 0;
    float one = 1.0f - powf(0.9f, (float)learner->steps), two = 1.0f - powf(0.999f, (float)learner->steps);
    for (int n = 0; n < 2 * (int)WEIGHTS; n++) {
        float slope = learner->gradient[n] * scale;
        learner->gradient[n] = 0.0f;
        learner->first[n] = 0.9f * learner->first[n] + 0.1f * slope;
        learner->second[n] = 0.999f * learner->second[n] + 0.001f * slope * slope;
        weights[n] -= rate * (learner->first[n] / one) / (sqrtf(learner->second[n] / two) + 1e-8f);
    }
}

static void learn(Learner *learner, const Past *past, float target, float rate) {
    const Network *network = &learner->networks[past->network];
    Network *gradient = &((Network *)learner->gradient)[past->network];
    float sums[FIRST], first[FIRST], second[SECOND], slopes[SECOND], back[FIRST] = {0};
    memcpy(sums, network->bias, sizeof sums);
    add_rows(network, &past->sample, 0, sums);
    float chance = chance_of(network, sums, first, second), error = chance - target;
    learner->samples++;
    learner->loss -= (double)(target * logf(chance + 1e-7f) + (1.0f - target) * logf(1.0f - chance + 1e-7f));
    gradient->output_bias += error;
    for (int unit = 0; unit < SECOND; unit++) {
        slopes[unit] = second[unit] > 0.0f ? error * network->output[unit] : 0.0f;
        gradient->output[unit] += error * second[unit];
        gradient->hidden_bias[unit] += slopes[unit];
    }
    for (int n = 0; n < FIRST; n++) {
        if (sums[n] <= 0.0f) continue;
        float parts[8] = {0};
        for (int unit = 0; unit < SECOND; unit++) gradient->hidden[n][unit] += slopes[unit] * first[n];
        for (int unit = 0; unit < SECOND; unit += 8)
            for (int k = 0; k < 8; k++) parts[k] += slopes[unit + k] * network->hidden[n][unit + k];
        for (int k = 0; k < 8; k++) back[n] += parts[k];
        gradient->bias[n] += back[n];
    }
    for (int at = 0; at < past->sample.count; at++) {
        float *row = gradient->rows[past->sample.number[at]], value = past->sample.value[at];
        for (int n = 0; n < FIRST; n++) row[n] += value * back[n];
    }
    if (++learner->batch == BATCH) take_step(learner, rate);
}

static void random_move(Chance *chance, const State *state, int seat, Move *move) {
    Move moves[RANKS + 24];
    if (state->setup) {
        moves_to_rate(state, seat, moves);
        *move = moves[below(chance, 20)];
        return;
    }
    int count = legal_moves(state, seat, moves), flips = 0;
    while (flips < count && moves[flips].kind == FLIP) flips++;
    int chosen = below(chance, count - (flips ? flips - 1 : 0)); /* flips are one entry of the list */
    *move = flips && chosen == 0 ? moves[below(chance, flips)] : moves[chosen + (flips ? flips - 1 : 0)];
    if (move->kind == PLAY) move->count += below(chance, move->most - move->count + 1);
}

/* The position in which a turn has just ended, as it was imagined before cards were drawn. */
static Position ended_with(const State *state, int seat) {
    Position at = {0};
    const Seat *me = &state->seat[seat];
    memcpy(at.up, me->up, RANKS), memcpy(at.pile, state->pile, (size_t)state->pile_count);
    for (int rank = 0; rank < RANKS; rank++) {
        at.hand[rank] = (int8_t)(me->hand[rank] - state->drawn[rank]);
        at.drawn += state->drawn[rank];
    }
    at.in_hand = me->in_hand, at.known = me->in_hand - at.drawn, at.in_up = me->in_up, at.down = cards_down(me);
    at.pile_count = state->pile_count, at.stock = state->stock_count, at.direction = state->direction;
    return at;
}

static void remember(Memory *memory, Table *table, const Position *at, float value) {
    if (memory->count == MOST_TURNS) return;
    Past *past = &memory->past[memory->count++];
    past->sample.count = 0, past->network = at->stock == 0, past->value = value;
    past->best = memory->best, past->strays = memory->strays;
    memory->best = -1.0f, memory->strays = 0;
    features_of_table(table, at->direction, &past->sample);
    features_of_position(table, at, &past->sample);
}

static int next_seat(Chance *chance, const State *state, int trained) {
    int seats[SEATS], count = 0;
    for (int seat = 0; seat < state->seats; seat++)
        if (interruption(state, seat) && ((trained >> seat & 1) || below(chance, 2))) seats[count++] = seat;
    for (int seat = 0, none = !count; none && seat < state->seats; seat++)
        if (may_act(state, seat)) seats[count++] = seat;
    return seats[below(chance, count)];
}

static void choose(Learner *learner, Chance *chance, State *state, int seat, int dealer, Memory *memory, float exploring) {
    Move moves[128];
    float ratings[128];
    Table table;
    see(&table, state, seat, learner->networks);
    int count = rate_all(&table, state, seat, moves, ratings), best = 0, was_setup = state->setup;
    for (int n = 1; n < count; n++)
        if (ratings[n] > ratings[best]) best = n;
    int made = best;
    if (memory && count > 1 && part(chance) < exploring) made = below(chance, count);
    if (memory && ratings[best] <= 1.0f + 1e-4f) {
        if (memory->best < 0.0f) memory->best = fminf(1.0f, ratings[best]);
        if (made != best) memory->strays = 1, memory->best = fminf(1.0f, ratings[best]);
    }
    Position at = was_setup ? arranged(&table, &moves[made]) : table.position;
    apply(state, seat, &moves[made], dealer);
    if (!memory || state->ended) return;
    if (was_setup) {
        remember(memory, &table, &at, ratings[made]);
    } else if (state->turn != seat || !state->bonus) {
        at = ended_with(state, seat);
        remember(memory, &table, &at, ratings[made]);
    }
}

static void learn_from(Learner *learner, const Memory *memory, float share, float turn, const Settings *settings) {
    float target = share * turn;
    int strays = memory->strays;
    float best = memory->best;
    for (int n = memory->count - 1; n >= 0; n--) {
        const Past *past = &memory->past[n];
        if (n < memory->count - 1 || strays) {
            float kept = strays ? 0.0f : settings->keeping;
            if (best >= 0.0f) target = turn * ((1.0f - kept) * best + kept * target / turn);
        }
        learn(learner, past, target, settings->rate);
        target *= turn, strays = past->strays, best = past->best;
    }
}

/* Plays a game; the seats in `trained` are played by the networks, the others at random. */
static int play(Learner *learner, Chance *chance, State *state, int game, int seats, int trained, Memory *memories,
                float exploring, int patience) {
    int8_t order[MOST_CARDS];
    int count = 0, dealer = below(chance, seats), moves = 0;
    for (int deck = 0; deck < decks(game, seats); deck++)
        for (int rank = 0; rank < (has_jokers(game) ? RANKS : RANKS - 1); rank++)
            for (int n = 0; n < (rank == JOKER ? 2 : 4); n++) order[count++] = (int8_t)rank;
    for (int n = count - 1; n > 0; n--) {
        int other = below(chance, n + 1);
        int8_t held = order[n];
        order[n] = order[other], order[other] = held;
    }
    deal(state, game, seats, dealer, order, count, patience);
    for (; !state->ended && moves < MOST_MOVES; moves++) {
        int seat = next_seat(chance, state, trained);
        if ((trained >> seat & 1) && may_act(state, seat)) {
            choose(learner, chance, state, seat, dealer, memories ? &memories[seat] : NULL, exploring);
        } else {
            Move move;
            random_move(chance, state, seat, &move);
            apply(state, seat, &move, dealer);
        }
    }
    return moves;
}

/* What Python calls. */
void prepare(void) { prepare_rules(), prepare_steps(); }
int size_of_state(void) { return sizeof(State); }
int size_of_learner(void) { return sizeof(Learner); }
int weights(void) { return WEIGHTS; }
int features(void) { return FEATURES; }
int units(int layer) { return layer == 1 ? FIRST : SECOND; }
float *weights_of(Learner *learner, int number) { return (float *)&learner->networks[number]; }
void deal_ranks(State *state, int game, int seats, int dealer, const int8_t *order, int count, int patience) {
    deal(state, game, seats, dealer, order, count, patience);
}
void apply_move(State *state, int seat, const Move *move, int dealer) { apply(state, seat, move, dealer); }
int list_moves(const State *state, int seat, Move *moves) { return legal_moves(state, seat, moves); }
int interrupts(const State *state, int seat) { return interruption(state, seat); }
int acts(const State *state, int seat) { return may_act(state, seat); }
int rate_moves(Learner *learner, const State *state, int seat, Move *moves, float *ratings) {
    Table table;
    see(&table, state, seat, learner->networks);
    return rate_all(&table, state, seat, moves, ratings);
}

void begin(Learner *learner, uint64_t seed) {
    Chance chance = {seed};
    memset(learner, 0, sizeof *learner);
    for (int number = 0; number < 2; number++) {
        Network *network = &learner->networks[number];
        for (int n = 0; n < FEATURES * FIRST; n++) (&network->rows[0][0])[n] = (part(&chance) - 0.5f) * 0.4f;
        for (int n = 0; n < FIRST * SECOND; n++) (&network->hidden[0][0])[n] = (part(&chance) - 0.5f) * 0.5f;
        for (int n = 0; n < SECOND; n++) network->output[n] = (part(&chance) - 0.5f) * 0.5f;
    }
}

/* Learns from games, of which `settings->alone` in 100 are between bots alone, half of them of two seats, the others of three or
 * four; in the rest one plays against three at random. */
int64_t train(Learner *learner, int game, int64_t games, uint64_t seed, const Settings *settings) {
    Chance chance = {seed};
    State state;
    int64_t before = learner->samples;
    learner->loss = 0.0;
    for (int64_t number = 0; number < games; number++) {
        int is_alone = below(&chance, 100) < settings->alone, seats = is_alone ? 2 + below(&chance, 5) / 3 + below(&chance, 5) / 4 : 4;
        int trained = is_alone ? (1 << seats) - 1 : 1 << below(&chance, seats);
        Memory memories[SEATS] = {0};
        for (int seat = 0; seat < SEATS; seat++) memories[seat].past = learner->past[seat], memories[seat].best = -1.0f;
        play(learner, &chance, &state, game, seats, trained, memories, settings->exploring, settings->patience);
        for (int seat = 0; seat < seats; seat++) {
            if (!(trained >> seat & 1)) continue;
            float share = state.ended == BY_OUT && state.out == seat ? 1.0f : 0.0f;
            learn_from(learner, &memories[seat], share, is_alone ? settings->turn_alone : settings->turn, settings);
        }
    }
    return learner->samples - before;
}

/* Plays games, one seat (or with `alone` all) by the networks; returns their share of first places, and moves a game. */
double measure(Learner *learner, int game, int seats, int games, uint64_t seed, int alone, double *moves, double *stalled) {
    Chance chance = {seed};
    State state;
    double wins = 0.0;
    *moves = *stalled = 0.0;
    for (int number = 0; number < games; number++) {
        int mine = number % seats, trained = alone ? (1 << seats) - 1 : 1 << mine;
        *moves += play(learner, &chance, &state, game, seats, trained, NULL, 0.0f, 20);
        *stalled += state.ended != BY_OUT;
        wins += (double)share_of_win(&state, mine);
    }
    *moves /= games, *stalled /= games;
    return wins / games;
}
