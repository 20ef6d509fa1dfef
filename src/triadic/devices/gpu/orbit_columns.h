/* The columns of counts at vertices from which raw frequencies of orbits follow: count C of vertex v stands at the
 * 64-bit place C n + v. Names are those of `devices/cpu`; the rest:
 *
 *   TWICE_HUB: twice the wheels with the vertex as hub;
 *   FIVE_LOWEST: four times the 5-cliques with the vertex as vertex of largest rank;
 *   FIVE_OTHERS: three times the other 5-cliques of the vertex;
 *   CYCLES: 5-cycles, but for those met at the vertex itself, of which CYCLE_HALVES has half the pairs and CYCLE_ODD
 *   the number of halves that were rounded down. */
#define SQUARES 0
#define SQUARE_DEGREES 1
#define ORBIT_49 2
#define ORBIT_50 3
#define FAR_TRIANGLES 4
#define ORBIT_62 5
#define ORBIT_63 6
#define ORBIT_64 7
#define RIM 8
#define TWICE_HUB 9
#define ORBIT_66 10
#define ORBIT_70 11
#define ORBIT_71 12
#define FIVE_LOWEST 13
#define FIVE_OTHERS 14
#define CYCLES 15
#define CYCLE_HALVES 16
#define CYCLE_ODD 17

#define ADD_AT(column, v, value) ADD_WIDE(counts, (column) * n + (v), (u64)(value))
