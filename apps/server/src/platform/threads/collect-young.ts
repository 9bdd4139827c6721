/** What Node offers where it is started with `--expose-gc`, as `main.ts` does for the threads beside the first. */
type Collect = (options: { readonly type: 'minor' }) => void

/**
 * Frees what this thread has made in passing. Right after a large piece of work hardly anything of it is still in use, and nobody waits:
 * a moment later, in the middle of the next one, all that is in use would be copied first.
 */
export const collectYoung = (): void => (globalThis as { readonly gc?: Collect }).gc?.({ type: 'minor' })
