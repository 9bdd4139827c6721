import { expect, it } from 'vitest'
import { setUpImports } from '../testing/fixtures.ts'
import { importAsProposed } from '../testing/import-as-proposed.ts'

const fixture = setUpImports()
const lines = (...rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n')
const read = (name: string, content: string) => importAsProposed(fixture.server, name, content)
const fields = ({ records }: Awaited<ReturnType<typeof read>>) => records.map((record) => record.fields)
const proposals = ({ file }: Awaited<ReturnType<typeof read>>) =>
  file.columns.map(({ name, proposal }) => `${name}: ${proposal?.role} ${proposal?.type}`)

it('reads conversations of ShareGPT', async () => {
  const conversations = [
    { from: 'system', value: 'Be kind.' },
    { from: 'human', value: 'Why?' },
    { from: 'gpt', value: 'Because.' },
  ]
  const rows = [
    { id: 'c1', conversations },
    { id: 'c2', conversations: [] },
  ]
  const imported = await read('sharegpt.json', JSON.stringify(rows))
  expect(imported.file.recognized).toBe('sharegpt')
  expect(imported.job.import).toEqual({ rows: 2, created: 1, updated: 0, failed: 1 })
  expect(fields(imported)).toEqual([
    {
      conversations: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Why?' },
        { role: 'assistant', content: 'Because.' },
      ],
    },
  ])
})

it('reads messages of OpenAI with tool calls, parts and requests of a batch', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } }
  const picture = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } }
  const rows = [
    {
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: '{"t":20}' },
      ],
      tools: [{ type: 'function' }],
      quality: 'good',
    },
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, picture] }], quality: 'bad' },
    { messages: [{ role: 'user', content: 'One' }], quality: 'good' },
    { messages: [{ role: 'user', content: 'Two' }], quality: 'bad' },
  ]
  const imported = await read('tune.jsonl', lines(...rows))
  expect(imported.file.recognized).toBe('openai')
  expect(proposals(imported)).toEqual(['messages: field chat', 'quality: suggestion label_selection'])
  expect(imported.file.contents?.left_out).toEqual([
    { part: 'tools', reason: 'technical', rows: 1 },
    { part: 'messages.tool_call_id', reason: 'technical', rows: 1 },
  ])
  expect(imported.job.import).toEqual({ rows: 4, created: 4, updated: 0, failed: 0 })
  expect(fields(imported).slice(0, 2)).toEqual([
    {
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: `\`\`\`json\n${JSON.stringify([call], null, 2)}\n\`\`\`` },
        { role: 'tool', content: '{"t":20}' },
      ],
    },
    { messages: [{ role: 'user', content: 'What is it?\n\n![](https://example.org/a.png)' }] },
  ])
  const batch = await read(
    'batch.jsonl',
    lines({ custom_id: 'r1', method: 'POST', body: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] } }),
  )
  expect([batch.file.recognized, batch.records[0]?.external_id]).toEqual(['openai', 'r1'])
  expect(fields(batch)[0]).toMatchObject({ messages: [{ role: 'user', content: 'Hi' }] })
})

it('reads instructions of Alpaca, and refuses a row without one', async () => {
  const rows = [
    { instruction: 'Translate', input: 'Hallo', output: 'Hello' },
    { instruction: 'Count', input: '', output: '1, 2' },
    { instruction: '', input: '', output: 'x' },
  ]
  const imported = await read('alpaca.json', JSON.stringify(rows))
  expect(imported.file.recognized).toBe('alpaca')
  expect(proposals(imported)).toEqual(['instruction: field text', 'input: field text', 'output: field text'])
  expect(imported.job.import).toEqual({ rows: 3, created: 2, updated: 0, failed: 1 })
  expect(fields(imported)).toEqual([rows[0], { instruction: 'Count', output: '1, 2' }])
})

it('reads pairs of answers as messages, texts and transcripts', async () => {
  const said = (content: string) => [
    { role: 'user', content: 'How?' },
    { role: 'assistant', content },
  ]
  const dpo = await read(
    'dpo.jsonl',
    lines(
      { prompt: 'How?', chosen: said('Good'), rejected: said('Bad'), score_chosen: 8.5, rating: 4 },
      { prompt: 'How?', chosen: said('Fine'), rejected: said('Poor'), score_chosen: 7.5, rating: 4 },
    ),
  )
  expect(dpo.file.recognized).toBe('preference')
  expect(proposals(dpo)).toEqual([
    'prompt: field text',
    'chosen: field chat',
    'rejected: field chat',
    'score_chosen: metadata float',
    'rating: metadata integer',
    'preferred: suggestion comparison',
  ])
  expect(dpo.records[0]).toMatchObject({ fields: { chosen: said('Good') }, found: { preferred: 'chosen' } })
  const hh = await read(
    'hh.jsonl',
    lines({ chosen: '\n\nHuman: How?\n\nAssistant: So.', rejected: '\n\nHuman: How?\n\nAssistant: No idea.' }),
  )
  expect(fields(hh)).toEqual([{ chosen: said('So.'), rejected: said('No idea.') }])
  expect(hh.job.import).toEqual({ rows: 1, created: 1, updated: 0, failed: 0 })
})
