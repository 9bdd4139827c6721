import type { Store } from './store.ts'

/** What became of one read or write of the store. */
export type Watched = {
  readonly kind: 'command' | 'query'
  readonly name: string
  /** From the call to its answer, with the wait for its turn. */
  readonly ms: number
  readonly failed: boolean
}
export type Watcher = (watched: Watched) => void

/** The same store, whose reads and writes are told to watchers when they are over. Closing it again does no harm. */
export const watchStore = (store: Store, watchers: ReadonlySet<Watcher>): Store => {
  const timed = async <R>({ kind, name }: Pick<Watched, 'kind' | 'name'>, run: () => Promise<R>): Promise<R> => {
    const began = performance.now()
    const tell = (failed: boolean) => {
      const ms = performance.now() - began
      for (const watcher of watchers) watcher({ kind, name, ms, failed })
    }
    try {
      const result = await run()
      tell(false)
      return result
    } catch (error) {
      tell(true)
      throw error
    }
  }
  let closing: Promise<void> | null = null
  return {
    ...store,
    close: () => {
      closing ??= store.close()
      return closing
    },
    write: (command, args, options) =>
      timed({ kind: 'command', name: command.toldAs?.(args) ?? command.name }, () => store.write(command, args, options)),
    read: (query, args, options) => timed(query, () => store.read(query, args, options)),
  }
}
