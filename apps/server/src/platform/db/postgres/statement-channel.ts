import { channel } from 'node:diagnostics_channel'

/** A statement as it is sent, with the connection or pool it is sent on. */
export type Statement = { readonly on: object; readonly sql: string; readonly parameters: readonly unknown[] }

/** Publishes every statement of the store before it is sent. It costs nothing without subscribers. */
export const statementChannel = channel('postil.statements')

export const publishStatement = (on: object, sql: string, parameters: readonly unknown[]): void => {
  if (statementChannel.hasSubscribers) statementChannel.publish({ on, sql, parameters } satisfies Statement)
}
