import { channel } from 'node:diagnostics_channel'

/** A statement as it is sent, and the connection or pool that it is sent on. */
export type Statement = { readonly on: object; readonly sql: string; readonly parameters: readonly unknown[] }

/** Where every statement of the store is told of before it is sent, for whoever watches; it costs nothing while nobody does. */
export const statements = channel('postil.statements')

export const tell = (on: object, sql: string, parameters: readonly unknown[]): void => {
  if (statements.hasSubscribers) statements.publish({ on, sql, parameters } satisfies Statement)
}
