import type { IncomingMessage } from 'node:http'
import type { Repository } from './repositories.ts'

/** A split of a dataset as the datasets server knows it; its Parquet files are served by the hub. */
export type StandInSplit = {
  readonly subset: string
  readonly split: string
  /** By column, as the hub describes them. */
  readonly features: { readonly [column: string]: unknown }
  readonly files: readonly Uint8Array[]
  readonly rows?: number
  /** What it has counted, by column, as it says it. */
  readonly statistics?: readonly object[]
}
export type Asked = {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}
export type Answer = (status: number, body: unknown, headers?: { readonly [name: string]: string }) => void
export type Call = Asked & {
  readonly state: State
  readonly answer: Answer
  /** The token of the request; null without one. */
  readonly token: string | null
}
export type State = {
  readonly address: string
  readonly repositories: Map<string, Repository>
  readonly splits: Map<string, StandInSplit[]>
  /** Contents that were uploaded by their hash. */
  readonly large: Map<string, Buffer>
  /** Tokens that may write, with the namespaces that they may write to. */
  readonly writers: Map<string, readonly string[]>
}
/** Whether who asks may see a repository. */
export const maySee = ({ state, token }: Call, { isPrivate, isGated, name }: Repository): boolean =>
  !(isPrivate || isGated) || state.writers.get(token ?? '')?.includes(name.split('/')[0] ?? '') === true
