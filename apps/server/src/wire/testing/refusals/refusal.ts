import type { Sent } from '../send.ts'
import type { Stage } from '../stage.ts'

/** A request that only a rule of the business refuses: it is well-formed, and the owner may send it. */
export type Refusal = {
  readonly id: string
  readonly why: string
  readonly status: 404 | 409 | 422
  /** Code of a refusal whose body has one instead of `detail`. */
  readonly code?: string
  readonly sent: (stage: Stage) => Sent | Promise<Sent>
  /** The body carries the answer that stands, or null. */
  readonly standing?: true
  /** Answered before permissions are looked at. */
  readonly beforePermission?: true
}

export const nobody = '00000000-0000-4000-8000-000000000000'
let count = 0
export const fresh = (what: string) => `${what}-${++count}`
export const labels = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))
export const idIn = (ids: { readonly [name: string]: string }, name: string) => ids[name] ?? ''

export const inRich = ({ rich }: Stage) => ({ params: { dataset_id: rich.dataset.id } })

/** A draft with nothing in it but `parts`. */
export const empty = async (stage: Stage, parts: object = {}) => {
  const spec = { workspace_id: stage.workspace.id, name: fresh('empty'), publish: false, fields: [], questions: [], ...parts }
  return { params: { dataset_id: (await stage.server.createDataset(spec)).id } }
}
