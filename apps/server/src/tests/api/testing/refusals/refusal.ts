import type { ApiFixture } from '../fixture.ts'
import type { Sent } from '../send.ts'

/** A request that only a business rule rejects: it is well-formed, and the owner who sends it has permission to send it. */
export type Refusal = {
  readonly id: string
  readonly why: string
  readonly status: 404 | 409 | 422
  /** The code of a refusal whose body has `code` instead of `detail`. */
  readonly code?: string
  readonly sent: (fixture: ApiFixture) => Sent | Promise<Sent>
  /** The key under which the response body contains the stored answer or the stored final answers. The value may be null. */
  readonly current?: 'response' | 'gold'
  /** Whether the response is sent before permissions are checked. */
  readonly beforePermission?: true
}

export const nobody = '00000000-0000-4000-8000-000000000000'
let count = 0
export const uniqueName = (what: string) => `${what}-${++count}`
export const labels = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))
export const idIn = (ids: { readonly [name: string]: string }, name: string) => ids[name] ?? ''

export const inRich = ({ rich }: ApiFixture) => ({ params: { dataset_id: rich.dataset.id } })

/** Creates a draft that contains only `parts`. */
export const empty = async (fixture: ApiFixture, parts: object = {}) => {
  const spec = {
    workspace_id: fixture.workspace.id,
    name: uniqueName('empty'),
    publish: false,
    fields: [],
    questions: [],
    ...parts,
  }
  return { params: { dataset_id: (await fixture.server.createDataset(spec)).id } }
}
