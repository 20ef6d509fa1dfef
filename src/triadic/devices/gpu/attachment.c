/* Barabasi and Albert's model: the links start .. start + count - 1, the same bits as in generate/vertex_links.py.
 *
 * Computes: source and target of each link.
 * Requires: `start` and `count` are multiples of `links`, the links of one vertex; the launch has `threads` work-items;
 *   at most 2^31 vertices.
 * Idea: one work-item makes all links of a vertex, and searches the ends that it has written before for a repeat, so no
 *   table is needed (the trails are explained in generate/vertex_links.py).
 * Cost: beside the hashes, links^2 / 2 comparisons for each vertex.
 */

/* Follow the trail from a draw for `link`, and return the vertex at its end. */
FUNCTION u64 trail_end(u64 key, u64 links, u64 link, u64 attempt) {
    while (link >= links) {
        u64 earlier = link / links, place = below(draw(key, link, attempt), 2 * links * earlier);
        if ((place & 1) == 0)
            return links + (place >> 1) / links;
        link = place >> 1;
        attempt = 0;
    }
    return link; /* a vertex of the first star */
}

KERNEL void attachment(u64 key, u64 links, u64 start, u64 count, u64 threads, GLOBAL u32 *source, GLOBAL u32 *target) {
    u64 owners = count / links;
    for (u64 owner = GLOBAL_THREAD; owner < owners; owner += threads) {
        u64 first = start + owner * links, vertex = links + first / links;
        GLOBAL u32 *chosen = target + owner * links;
        for (u64 i = 0; i < links; i++) {
            u64 attempt = 0, end;
            do
                end = trail_end(key, links, first + i, attempt++);
            while (is_among(chosen, i, end));
            source[owner * links + i] = (u32)vertex;
            chosen[i] = (u32)end;
        }
    }
}
