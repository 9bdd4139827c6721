type Options = { readonly type: 'minor' } | { readonly type: 'major'; readonly flavor: 'last-resort' }

/** What Node offers where it is started with `--expose-gc`, as `main.ts` does for the threads beside the first. */
const collect = (options: Options): void => (globalThis as { readonly gc?: (options: Options) => void }).gc?.(options)

/**
 * Frees what this thread has made in passing. Right after a large piece of work hardly anything of it is still in use, and nobody waits:
 * a moment later, in the middle of the next one, all that is in use would be copied first.
 */
export const collectYoung = (): void => collect({ type: 'minor' })

/** Gives back the room that this thread's heap has grown to over large pieces of work. Takes some 50 ms: for a thread that has no more of them. */
export const giveBack = (): void => collect({ type: 'major', flavor: 'last-resort' })
