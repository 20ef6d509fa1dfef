/* Watts and Strogatz's model: the links start .. start + count - 1, the same bits as in generate/vertex_links.py.
 *
 * Computes: source and target of each link.
 * Requires: `start` and `count` are multiples of `links`, the links of one vertex; the launch has `threads` work-items;
 *   at most 2^31 vertices.
 * Idea: one work-item makes all links of a vertex, and searches the ends that it has written before for a repeat, so no
 *   table is needed.
 * Cost: beside the hashes, up to links^2 / 2 comparisons for each vertex, if all links are rewired.
 */

FUNCTION int is_rewired(u64 key, u64 link, u64 threshold) {
    return draw(key, link, 0) >> PROBABILITY_SHIFT < threshold;
}

/* Return whether the ring has a link between `u` and `w` that is not rewired. */
FUNCTION int stands(u64 key, u64 vertices, u64 links, u64 threshold, u64 u, u64 w) {
    u64 ahead = w >= u ? w - u : w + vertices - u, behind = vertices - ahead;
    if (ahead <= links)
        return !is_rewired(key, u * links + ahead - 1, threshold);
    return behind <= links && !is_rewired(key, w * links + behind - 1, threshold);
}

KERNEL void small_world(u64 key, u64 vertices, u64 links, u64 threshold, u64 start, u64 count, u64 threads,
                        GLOBAL u32 *source, GLOBAL u32 *target) {
    u64 owners = count / links;
    for (u64 owner = GLOBAL_THREAD; owner < owners; owner += threads) {
        u64 u = start / links + owner;
        GLOBAL u32 *chosen = target + owner * links;
        for (u64 step = 0; step < links; step++) {
            u64 link = u * links + step, w = u + step + 1;
            if (w >= vertices)
                w -= vertices;
            if (is_rewired(key, link, threshold)) {
                u64 attempt = 0;
                do
                    w = below(draw(key, link, ++attempt), vertices);
                while (w == u || stands(key, vertices, links, threshold, u, w) || is_among(chosen, step, w));
            }
            source[owner * links + step] = (u32)u;
            chosen[step] = (u32)w;
        }
    }
}
