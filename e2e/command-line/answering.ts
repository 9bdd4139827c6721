import type { Client } from '@postil/testkit/client.ts'

const IN_BULK = 500
const BULKS = 10
const WRITERS = 4
const TEXT = 'a text of some length that fills pages '.repeat(60)

type Record = { readonly id: string; readonly responses?: readonly { readonly values: unknown }[] }

export const addRecords = async (client: Client, dataset: string): Promise<string[]> => {
  const ids: string[] = []
  for (let bulk = 0; bulk < BULKS; bulk += 1) {
    const items = Array.from({ length: IN_BULK }, (_, i) => ({ fields: { text: `${bulk} ${i} ${TEXT}` } }))
    const { body } = await client.post<{ items: Record[] }>(`/datasets/${dataset}/records/bulk`, { items })
    ids.push(...body.items.map(({ id }) => id))
  }
  return ids
}

const answer = { status: 'submitted', values: { label: { value: 'yes' } } }

/** Answers one record after another until stopped. `confirmed` contains what the server has confirmed. */
export const startWritingAnswers = (client: Client, records: readonly string[]) => {
  const confirmed: string[] = []
  let next = 0
  let stopping = false
  const worker = async () => {
    while (!stopping && next < records.length) {
      const id = records[next] as string
      next += 1
      const { status } = await client.post(`/records/${id}/responses`, answer)
      if (status === 201) confirmed.push(id)
    }
  }
  const lanes = Promise.all(Array.from({ length: WRITERS }, worker))
  return {
    confirmed,
    stop: async () => {
      stopping = true
      await lanes
    },
  }
}

/** Returns the records of a dataset that have an answer. */
export const answeredRecords = async (client: Client, dataset: string): Promise<Set<string>> => {
  const found = new Set<string>()
  for (let offset = 0; ; offset += 1000) {
    const path = `/datasets/${dataset}/records?include=responses&limit=1000&offset=${offset}`
    const { items } = (await client.get<{ items: Record[] }>(path)).body
    for (const { id, responses } of items) if ((responses ?? []).length > 0) found.add(id)
    if (items.length === 0) return found
  }
}
