type Options = { readonly type: 'minor' } | { readonly type: 'major'; readonly flavor: 'last-resort' }

/**
 * Calls Node's garbage collector, which is available with `--expose-gc`. `main.ts` enables it for all threads except the first.
 */
const collect = (options: Options): void => (globalThis as { readonly gc?: (options: Options) => void }).gc?.(options)

/**
 * Frees this thread's short-lived objects. Call it right after a large piece of work, when hardly any of them are still in use
 * and nobody waits. A collection during the next piece of work would have to copy all objects in use.
 */
export const collectYoung = (): void => collect({ type: 'minor' })

/**
 * Releases unused heap memory of this thread after large pieces of work. Takes about 50 ms, so call it only when no more such
 * work follows.
 */
export const returnMemory = (): void => collect({ type: 'major', flavor: 'last-resort' })
