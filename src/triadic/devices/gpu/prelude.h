/* Macros by which one kernel source compiles as CUDA (NVRTC), HIP (hipRTC) and OpenCL C 1.2.
 *
 * A team is 32 neighbouring work-items that share one task. Under CUDA, HIP and NVIDIA's OpenCL a team is a warp, and
 * several teams share a block. On other devices a team is a whole work-group, so that every barrier is legal. TEAMS is
 * the number of teams in a block. All lanes of a team take the same way through code that calls TEAM_*. TEAM_BARRIER()
 * orders a team's accesses to local memory, TEAM_FENCE() its accesses to global memory too, and BLOCK_BARRIER() both
 * for a whole block. LOCAL_LARGE is the one array of a source with `local_bytes` (runtime.py).
 * TWICE_ON_A_PROCESSOR, before the name of a kernel, lets the compiler use only so many registers that two blocks of
 * that many work-items fit a multiprocessor.
 */

#define LANES 32u

#if defined(__OPENCL_VERSION__)

typedef uint u32;
typedef ulong u64;
typedef long i64;
#define KERNEL __kernel
#define FUNCTION
#define GLOBAL __global
#define LOCAL __local
#define LOCAL_ARRAY(type, name, size) __local type name[size] __attribute__((aligned(8)))
#define TWICE_ON_A_PROCESSOR(threads)
#define LOCAL_LARGE(type, name, size) LOCAL_ARRAY(type, name, size)
#define BLOCK_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define RESTRICT restrict
#define THREAD ((u32)get_local_id(0))
#define BLOCK ((u64)get_group_id(0))
#define GLOBAL_THREAD ((u64)get_global_id(0))
#define ADD_U32(place, value) atomic_add(place, (u32)(value))
#define OR_U32(place, value) atomic_or(place, (u32)(value))
#define SWAP_U32(place, expected, value) atomic_cmpxchg(place, (u32)(expected), (u32)(value))
#define TAKE_U32(place) atomic_xchg(place, 0u)
#define POPCOUNT32(word) ((u32)popcount((u32)(word)))
#define POPCOUNT64(word) ((u32)popcount((u64)(word)))

#if defined(__NV_CL_C_VERSION)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define ADD_U64(place, value)                                                                                          \
    do {                                                                                                               \
        u64 wide_value = (value);                                                                                      \
        if (wide_value != 0)                                                                                           \
            atom_add(place, wide_value);                                                                               \
    } while (0)
#define WARPS 1
#define TEAM_BARRIER() asm volatile("bar.warp.sync 0xffffffff;" ::: "memory")
u32 team_ballot(u32 predicate) {
    u32 votes;
    asm volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff;}"
                 : "=r"(votes) : "r"(predicate));
    return votes;
}
u32 team_xor(u32 value, u32 mask) {
    u32 other;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(other) : "r"(value), "r"(mask));
    return other;
}
#define TEAM_FENCE() TEAM_BARRIER()
#else
#define TEAM_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define TEAM_FENCE() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

#else /* CUDA and HIP */

typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;
#define KERNEL extern "C" __global__
#define FUNCTION static __device__ __forceinline__
#define GLOBAL
#define LOCAL
#define LOCAL_ARRAY(type, name, size) __shared__ __align__(8) type name[size]
#define TWICE_ON_A_PROCESSOR(threads) __launch_bounds__(threads, 2)
#define LOCAL_LARGE(type, name, size) extern __shared__ __align__(8) type name[]
#define BLOCK_BARRIER() __syncthreads()
#define RESTRICT __restrict__
#define THREAD ((u32)threadIdx.x)
#define BLOCK ((u64)blockIdx.x)
#define GLOBAL_THREAD ((u64)blockIdx.x * blockDim.x + threadIdx.x)
#define ADD_U32(place, value) atomicAdd(place, (u32)(value))
#define OR_U32(place, value) atomicOr(place, (u32)(value))
#define SWAP_U32(place, expected, value) atomicCAS(place, (u32)(expected), (u32)(value))
#define TAKE_U32(place) atomicExch(place, 0u)
#define ADD_U64(place, value)                                                                                          \
    do {                                                                                                               \
        u64 wide_value = (value);                                                                                      \
        if (wide_value != 0)                                                                                           \
            atomicAdd(place, wide_value);                                                                              \
    } while (0)
#define POPCOUNT32(word) ((u32)__popc((u32)(word)))
#define POPCOUNT64(word) ((u32)__popcll((u64)(word)))

#if defined(__HIPCC_RTC__) || defined(__HIP_DEVICE_COMPILE__)
/* A wavefront may have 64 lanes: a team is a block of its own, as in OpenCL. */
#define TEAM_BARRIER() __syncthreads()
#else
#define WARPS 1
#define TEAM_BARRIER() __syncwarp()
FUNCTION u32 team_ballot(u32 predicate) { return __ballot_sync(0xffffffffu, predicate); }
FUNCTION u32 team_xor(u32 value, u32 mask) { return __shfl_xor_sync(0xffffffffu, value, mask); }
#if __CUDA_ARCH__ >= 800
#define SUM_OF_LANES(value) __reduce_add_sync(0xffffffffu, value)
#endif
#endif
#define TEAM_FENCE() TEAM_BARRIER()

#endif

/* A 64-bit count is two words, the low one first, so that devices without 64-bit atomics can add to it: ADD_WIDE in
 * global memory, ADD_WIDE_LOCAL in local memory. Sums are exact modulo 2^64. A 64-bit atomic addition does not wait for
 * its result. */
#define ADD_WORDS(counts, at, value)                                                                                   \
    do {                                                                                                               \
        u64 wide_place = 2 * (u64)(at), wide_value = (value);                                                          \
        u32 wide_low = (u32)wide_value, wide_high = (u32)(wide_value >> 32), wide_before;                              \
        if (wide_low != 0) {                                                                                           \
            wide_before = ADD_U32(&(counts)[wide_place], wide_low);                                                    \
            wide_high += wide_before + wide_low < wide_before ? 1 : 0;                                                 \
        }                                                                                                              \
        if (wide_high != 0)                                                                                            \
            ADD_U32(&(counts)[wide_place + 1], wide_high);                                                             \
    } while (0)
#if defined(ADD_U64)
#define ADD_WIDE(counts, at, value) ADD_U64((GLOBAL u64 *)(counts) + (at), value)
#define ADD_WIDE_LOCAL(counts, at, value) ADD_U64((LOCAL u64 *)(counts) + (at), value)
#else
#define ADD_WIDE(counts, at, value) ADD_WORDS(counts, at, value)
#define ADD_WIDE_LOCAL(counts, at, value) ADD_WORDS(counts, at, value)
#endif

#define LOWEST_BIT(word) POPCOUNT64(((word) & (0 - (word))) - 1)

/* TEAM_BALLOT(result, predicate, votes) sets a bit of `result` for each lane whose predicate holds. TEAM_SUM(value,
 * width, sums) replaces the value of each lane by the sum over its group of `width` neighbouring lanes, a power of two.
 * `votes` and `sums` are local memory of the team, one word and LANES words, for devices without warp functions. */
#if defined(WARPS)
#define TEAM_BALLOT(result, predicate, votes) result = team_ballot(predicate)
#if defined(SUM_OF_LANES)
#define TEAM_SUM(value, width, sums)                                                                                   \
    do {                                                                                                               \
        if ((width) == LANES)                                                                                          \
            value = SUM_OF_LANES(value);                                                                               \
        else                                                                                                           \
            for (u32 reach = (width) / 2; reach > 0; reach /= 2)                                                       \
                value += team_xor(value, reach);                                                                       \
    } while (0)
#else
#define TEAM_SUM(value, width, sums)                                                                                   \
    for (u32 reach = (width) / 2; reach > 0; reach /= 2)                                                               \
    value += team_xor(value, reach)
#endif
#else
#define TEAM_BALLOT(result, predicate, votes)                                                                          \
    TEAM_BARRIER();                                                                                                    \
    if (THREAD % LANES == 0)                                                                                           \
        *(votes) = 0;                                                                                                  \
    TEAM_BARRIER();                                                                                                    \
    if (predicate)                                                                                                     \
        OR_U32(votes, 1u << (THREAD % LANES));                                                                         \
    TEAM_BARRIER();                                                                                                    \
    result = *(votes)
#define TEAM_SUM(value, width, sums)                                                                                   \
    for (u32 reach = (width) / 2; reach > 0; reach /= 2) {                                                             \
        TEAM_BARRIER();                                                                                                \
        (sums)[THREAD % LANES] = value;                                                                                \
        TEAM_BARRIER();                                                                                                \
        value += (sums)[(THREAD % LANES) ^ reach];                                                                     \
    }
#endif

/* TEAM_SUM of a 64-bit value; sums must be below 2^59. */
#define TEAM_SUM_WIDE(value, width, sums)                                                                              \
    {                                                                                                                  \
        u32 wide_low = (u32)((value) & 0x7ffffff), wide_high = (u32)((value) >> 27);                                   \
        TEAM_SUM(wide_low, width, sums);                                                                               \
        TEAM_SUM(wide_high, width, sums);                                                                              \
        value = wide_low + ((u64)wide_high << 27); /* 32 values of 27 bits fit a word */                   \
    }
