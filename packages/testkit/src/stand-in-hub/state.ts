import type { IncomingMessage } from 'node:http'
import type { Repository } from './repositories.ts'

/** A split of a dataset on the datasets server. The Hub serves its Parquet files. */
export type StandInSplit = {
  readonly subset: string
  readonly split: string
  /** The features in the format of the Hub, keyed by column. */
  readonly features: { readonly [column: string]: unknown }
  readonly files: readonly Uint8Array[]
  readonly rows?: number
  /** The statistics of each column, in the format of the datasets server. */
  readonly statistics?: readonly object[]
}
export type RecordedRequest = {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}
export type Answer = (status: number, body: unknown, headers?: { readonly [name: string]: string }) => void
export type Call = RecordedRequest & {
  readonly state: State
  readonly answer: Answer
  /** The token of the request, or null. */
  readonly token: string | null
}
export type State = {
  readonly address: string
  readonly repositories: Map<string, Repository>
  readonly splits: Map<string, StandInSplit[]>
  /** Uploaded file contents, keyed by hash. */
  readonly large: Map<string, Buffer>
  /** The namespaces that each token may write to. */
  readonly writers: Map<string, readonly string[]>
}
/** Whether the caller may see a repository. */
export const canSee = ({ state, token }: Call, { isPrivate, isGated, name }: Repository): boolean =>
  !(isPrivate || isGated) || state.writers.get(token ?? '')?.includes(name.split('/')[0] ?? '') === true
