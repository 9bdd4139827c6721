import type { Store } from './store.ts'

/** The outcome of one read or write. */
export type Watched = {
  readonly kind: 'command' | 'query'
  readonly name: string
  /** Milliseconds from the call to the result, including time in the queue. */
  readonly ms: number
  readonly failed: boolean
}
export type Watcher = (watched: Watched) => void

/** Wraps a store so that it notifies watchers after each read and write. Closing it twice is safe. */
export const watchStore = (store: Store, watchers: ReadonlySet<Watcher>): Store => {
  const timed = async <R>({ kind, name }: Pick<Watched, 'kind' | 'name'>, run: () => Promise<R>): Promise<R> => {
    const began = performance.now()
    const notify = (failed: boolean) => {
      const ms = performance.now() - began
      for (const watcher of watchers) watcher({ kind, name, ms, failed })
    }
    try {
      const result = await run()
      notify(false)
      return result
    } catch (error) {
      notify(true)
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
      timed({ kind: 'command', name: command.reportedName?.(args) ?? command.name }, () => store.write(command, args, options)),
    read: (query, args, options) => timed(query, () => store.read(query, args, options)),
  }
}
