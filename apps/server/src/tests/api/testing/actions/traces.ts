import { otlpRequest, otlpSpan } from '@postil/testkit/otlp.ts'
import type { ApiFixture } from '../fixture.ts'
import { once } from '../forms/rule.ts'
import { type Action, admins } from './action.ts'

/** A dataset with a trace field. */
const inTraces = once(async ({ server, workspace }: ApiFixture) => {
  const fields = [{ name: 'trace', title: 'Trace', required: true, settings: { type: 'custom', view: 'trace' } }]
  return server.createDataset({ workspace_id: workspace.id, fields })
})

let count = 0
export const sentTraces = async (fixture: ApiFixture) => ({
  params: { dataset_id: (await inTraces(fixture)).id },
  body: otlpRequest(otlpSpan(1, { trace: ++count })),
})

export const traceActions: readonly Action[] = [
  { id: 'traces.store', allowed: admins, missing: 'found first', request: sentTraces },
]
