/* Litmus tests whose outcome is asserted. R0 to R3 are what was read. */
#include "suite.h"

static atomic_int x, y, z;
static int r0, r1, r2, r3;

/* A test of two threads: its code, what no execution must end with. */
#define TWO(name, first, second, wrong) \
    static void name##_0(int i) { (void)i; first; } \
    static void name##_1(int i) { (void)i; second; } \
    void name(void) { run_both(name##_0, name##_1); assert(!(wrong)); }
#define THREE(name, first, second, third, wrong) \
    static void name##_body(int i) { \
        if (i == 0) { first; } else if (i == 1) { second; } else { third; } \
    } \
    void name(void) { run(3, name##_body); assert(!(wrong)); }
#define FOUR(name, first, second, third, fourth, wrong) \
    static void name##_body(int i) { \
        if (i == 0) { first; } else if (i == 1) { second; } else if (i == 2) { third; } else { fourth; } \
    } \
    void name(void) { run(4, name##_body); assert(!(wrong)); }

#define WX(order) store(&x, 1, order)
#define WY(order) store(&y, 1, order)
#define WZ(order) store(&z, 1, order)
#define RX(order) load(&x, order)
#define RY(order) load(&y, order)
#define RZ(order) load(&z, order)

/* Store buffering. */
#define SB_END (r0 == 0 && r1 == 0)
TWO(sb_relaxed, WX(RLX); r0 = RY(RLX), WY(RLX); r1 = RX(RLX), SB_END)
TWO(sb_acquire, WX(REL); r0 = RY(ACQ), WY(REL); r1 = RX(ACQ), SB_END)
TWO(sb_seq_cst, WX(SC); r0 = RY(SC), WY(SC); r1 = RX(SC), SB_END)
TWO(sb_fences, WX(RLX); fence(SC); r0 = RY(RLX), WY(RLX); fence(SC); r1 = RX(RLX), SB_END)
TWO(sb_one_fence, WX(RLX); fence(SC); r0 = RY(RLX), WY(RLX); r1 = RX(RLX), SB_END)
TWO(sb_weak_fences, WX(RLX); fence(AR); r0 = RY(RLX), WY(RLX); fence(AR); r1 = RX(RLX), SB_END)
TWO(sb_fence_and_seq_cst, WX(SC); r0 = RY(SC), WY(RLX); fence(SC); r1 = RX(RLX), SB_END)
TWO(sb_exchange, swap(&x, 1, AR); r0 = RY(RLX), swap(&y, 1, AR); r1 = RX(RLX), SB_END)
TWO(sb_update, WX(RLX); r0 = add(&y, 0, AR), WY(RLX); r1 = add(&x, 0, AR), SB_END)
TWO(sb_seq_cst_stores, WX(SC); r0 = RY(RLX), WY(SC); r1 = RX(RLX), SB_END)
TWO(sb_seq_cst_loads, WX(RLX); r0 = RY(SC), WY(RLX); r1 = RX(SC), SB_END)
TWO(sb_signal_fence, WX(RLX); atomic_signal_fence(SC); r0 = RY(RLX), WY(RLX);
    atomic_signal_fence(SC); r1 = RX(RLX), SB_END)
TWO(sb_other_update, WX(RLX); add(&z, 1, SC); r0 = RY(RLX), WY(RLX); add(&z, 1, SC); r1 = RX(RLX), SB_END)

/* Message passing. */
#define MP_END (r0 == 1 && r1 == 0)
TWO(mp_relaxed, WX(RLX); WY(RLX), r0 = RY(RLX); r1 = RX(RLX), MP_END)
TWO(mp_acquire, WX(RLX); WY(REL), r0 = RY(ACQ); r1 = RX(RLX), MP_END)
TWO(mp_no_acquire, WX(RLX); WY(REL), r0 = RY(RLX); r1 = RX(RLX), MP_END)
TWO(mp_no_release, WX(RLX); WY(RLX), r0 = RY(ACQ); r1 = RX(RLX), MP_END)
TWO(mp_consume, WX(RLX); WY(REL), r0 = RY(memory_order_consume); r1 = RX(RLX), MP_END)
TWO(mp_fences, WX(RLX); fence(REL); WY(RLX), r0 = RY(RLX); fence(ACQ); r1 = RX(RLX), MP_END)
TWO(mp_fence_and_acquire, WX(RLX); fence(REL); WY(RLX), r0 = RY(ACQ); r1 = RX(RLX), MP_END)
TWO(mp_late_fence, WX(RLX); WY(RLX); fence(REL), r0 = RY(RLX); fence(ACQ); r1 = RX(RLX), MP_END)
TWO(mp_update, WX(RLX); add(&y, 1, REL), r0 = add(&y, 0, ACQ); r1 = RX(RLX), MP_END)
TWO(mp_update_no_acquire, WX(RLX); add(&y, 1, REL), r0 = add(&y, 0, REL); r1 = RX(RLX), MP_END)
TWO(mp_seq_cst_flag, WX(RLX); WY(SC), r0 = RY(SC); r1 = RX(RLX), MP_END)
THREE(mp_sequence, WX(RLX); WY(REL), add(&y, 1, RLX), r0 = RY(ACQ); r1 = RX(RLX), r0 == 2 && r1 == 0)
THREE(mp_sequence_broken, WX(RLX); WY(REL), if (RY(RLX) == 1) store(&y, 2, RLX), r0 = RY(ACQ);
      r1 = RX(RLX), r0 == 2 && r1 == 0)
THREE(mp_chain, WX(RLX); WY(REL), if (RY(ACQ)) WZ(REL), r0 = RZ(ACQ); r1 = RX(RLX), MP_END)
THREE(mp_chain_broken, WX(RLX); WY(REL), if (RY(RLX)) WZ(REL), r0 = RZ(ACQ); r1 = RX(RLX), MP_END)

/* Others of two threads. */
TWO(lb, r0 = RX(RLX); WY(RLX), r1 = RY(RLX); WX(RLX), r0 && r1)
#define LAST(place, value) (load(&place, RLX) == value)
TWO(ww_relaxed, store(&x, 1, RLX); store(&y, 2, RLX), store(&y, 1, RLX); store(&x, 2, RLX),
    LAST(x, 1) && LAST(y, 1))
TWO(ww_release, store(&x, 1, REL); store(&y, 2, REL), store(&y, 1, REL); store(&x, 2, REL),
    LAST(x, 1) && LAST(y, 1))
TWO(ww_seq_cst, store(&x, 1, SC); store(&y, 2, SC), store(&y, 1, SC); store(&x, 2, SC),
    LAST(x, 1) && LAST(y, 1))
TWO(ww_fences, store(&x, 1, RLX); fence(SC); store(&y, 2, RLX), store(&y, 1, RLX); fence(SC);
    store(&x, 2, RLX), LAST(x, 1) && LAST(y, 1))
TWO(r_relaxed, WX(RLX); WY(RLX), store(&y, 2, RLX); r0 = RX(RLX), LAST(y, 2) && r0 == 0)
TWO(r_seq_cst, WX(SC); WY(SC), store(&y, 2, SC); r0 = RX(SC), LAST(y, 2) && r0 == 0)
TWO(s_relaxed, store(&x, 2, RLX); WY(RLX), r0 = RY(RLX); WX(RLX), r0 == 1 && LAST(x, 2))
TWO(s_acquire, store(&x, 2, RLX); WY(REL), r0 = RY(ACQ); WX(RLX), r0 == 1 && LAST(x, 2))

/* Three and four threads. */
THREE(wrc_relaxed, WX(RLX), r0 = RX(RLX); WY(RLX), r1 = RY(RLX); r2 = RX(RLX), r0 && r1 && !r2)
THREE(wrc_acquire, WX(RLX), r0 = RX(ACQ); WY(REL), r1 = RY(ACQ); r2 = RX(RLX), r0 && r1 && !r2)
THREE(w_rwc_acquire, WX(REL); WZ(REL), r0 = RZ(ACQ); r1 = RY(ACQ), WY(REL); r2 = RX(ACQ), r0 && !r1 && !r2)
THREE(w_rwc_seq_cst, WX(SC); WZ(SC), r0 = RZ(SC); r1 = RY(SC), WY(SC); r2 = RX(SC), r0 && !r1 && !r2)
THREE(w_rwc_fences, WX(RLX); WZ(REL), r0 = RZ(ACQ); fence(SC); r1 = RY(RLX), WY(RLX); fence(SC);
      r2 = RX(RLX), r0 && !r1 && !r2)
THREE(rwc_acquire, WX(REL), r0 = RX(ACQ); r1 = RY(ACQ), WY(REL); r2 = RX(ACQ), r0 && !r1 && !r2)
THREE(z6_release, WX(REL); WY(REL), store(&y, 2, REL); WZ(REL), r0 = RZ(ACQ); r1 = RX(ACQ),
      r0 && !r1 && LAST(y, 2))
THREE(z6_seq_cst, WX(SC); WY(SC), store(&y, 2, SC); WZ(SC), r0 = RZ(SC); r1 = RX(SC),
      r0 && !r1 && LAST(y, 2))
THREE(sb_three, WX(RLX); r0 = RY(RLX), WY(RLX); r1 = RZ(RLX), WZ(RLX); r2 = RX(RLX), !r0 && !r1 && !r2)
THREE(sb_three_seq_cst, WX(SC); r0 = RY(SC), WY(SC); r1 = RZ(SC), WZ(SC); r2 = RX(SC), !r0 && !r1 && !r2)
THREE(isa2_broken, WX(RLX); WY(REL), if (RY(ACQ)) WZ(RLX), r0 = RZ(ACQ); r1 = RX(RLX), MP_END)
#define IRIW_END (r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0)
FOUR(iriw_relaxed, WX(RLX), WY(RLX), r0 = RX(RLX); r1 = RY(RLX), r2 = RY(RLX); r3 = RX(RLX), IRIW_END)
FOUR(iriw_acquire, WX(REL), WY(REL), r0 = RX(ACQ); r1 = RY(ACQ), r2 = RY(ACQ); r3 = RX(ACQ), IRIW_END)
FOUR(iriw_seq_cst, WX(SC), WY(SC), r0 = RX(SC); r1 = RY(SC), r2 = RY(SC); r3 = RX(SC), IRIW_END)
FOUR(iriw_fences, WX(RLX), WY(RLX), r0 = RX(RLX); fence(SC); r1 = RY(RLX), r2 = RY(RLX); fence(SC);
     r3 = RX(RLX), IRIW_END)
FOUR(iriw_one_fence, WX(RLX), WY(RLX), r0 = RX(RLX); fence(SC); r1 = RY(RLX), r2 = RY(RLX);
     r3 = RX(RLX), IRIW_END)
