import type { Client } from './http.ts'

const LABELS = ['good', 'bad', 'unclear'] as const
const WORDS = 'the parcel came late and the box was open but nothing inside it had been broken so we kept it after all'.split(' ')

type Row = { readonly id: string; readonly text: string; readonly label: string; readonly size: number }
/**
 * A row that is derived from its number, so that every import method gets the same rows. @param words the number of words in the
 * row's text
 */
export const rowAt = (no: number, words = 25): Row => {
  const text = Array.from({ length: words }, (_, i) => WORDS[(no * 7 + i * (1 + (no % 5))) % WORDS.length]).join(' ')
  return { id: `row-${no}`, text: `${text} ${no}`, label: LABELS[no % LABELS.length] ?? '', size: no % 10_000 }
}

type Named = { readonly id: string }

export const createPlainDataset = async (owner: Client, name: string) => {
  const post = async (path: string, body: unknown) => (await owner.call('POST', path, body)).body as Named
  const { items } = (await owner.call('GET', '/me/workspaces')).body as { items: Named[] }
  const { id } = await post('/datasets', {
    name,
    workspace_id: items[0]?.id,
    distribution: { strategy: 'overlap', min_submitted: 1 },
  })
  await post(`/datasets/${id}/fields`, { name: 'text', title: 'Text', required: true, settings: { type: 'text' } })
  const options = LABELS.map((value) => ({ value, text: value }))
  const settings = { type: 'label_selection', options }
  const question = await post(`/datasets/${id}/questions`, { name: 'label', title: 'Label', required: true, settings })
  await post(`/datasets/${id}/metadata-properties`, { name: 'size', title: 'Size', settings: { type: 'integer' } })
  await owner.call('PUT', `/datasets/${id}/publish`)
  return { id, question: question.id }
}
