import { describe, expect, it } from 'vitest'
import { importer, same, setUpImports, spec } from './testing/fixtures.ts'

const fixture = setUpImports()

const userMessage = (content: string) => [{ role: 'user', content }]
const chat = JSON.stringify([{ role: 'bot', content: 'hello' }])

const importing = async (name: string, content: string) => {
  const at = importer(fixture.server, await fixture.server.createDataset(spec))
  const { id } = (await at.upload(name, content)).body
  const mapping = { fields: same('text', 'talk'), metadata: [], suggestions: [], external_id: 'id' }
  const checked = (await at.check(id, mapping)).body
  const job = (await at.start(id, mapping)).body
  await at.finish()
  return {
    checked: checked.records.map(({ fields }) => fields['talk']),
    codes: checked.errors.map(({ reason_parts }) => reason_parts.map(({ code }) => code)),
    counts: (await at.job(job.id)).import,
    stored: (await at.records()).map(({ fields }) => fields['talk']),
  }
}

describe('importing into a chat field', () => {
  it('turns a plain value into one user message, and keeps a chat as it is', async () => {
    const csv = ['id,text,talk', 'a,t,hi', 'b,t,[laughs] 12', 'c,t,', `d,t,"${chat.replaceAll('"', '""')}"`, 'e,t,12'].join('\n')
    const talks = [
      userMessage('hi'),
      userMessage('[laughs] 12'),
      undefined,
      [{ role: 'bot', content: 'hello' }],
      userMessage('12'),
    ]
    const { checked, stored, counts } = await importing('rows.csv', csv)
    expect([checked, stored, counts]).toEqual([talks, talks, { rows: 5, created: 5, updated: 0, failed: 0 }])
  })

  it('does the same for JSON, whatever the plain value', async () => {
    const values = ['hi', 1.5, true, '', null]
    const rows = values.map((talk, index) => JSON.stringify({ id: `${index}`, text: 't', talk }))
    const { stored, counts } = await importing('rows.jsonl', rows.join('\n'))
    expect([stored, counts?.failed]).toEqual([
      [userMessage('hi'), userMessage('1.5'), userMessage('true'), undefined, undefined],
      0,
    ])
  })

  it('rejects a list of something else and an unreadable chat', async () => {
    const rows = ['[{"role": "user"', "[{'role': 'user', 'content': hi}]", '[1]', '{"a": 1}']
    const lines = rows.map((talk, index) => JSON.stringify({ id: `${index}`, text: 't', talk }))
    const { stored, counts, codes } = await importing('rows.jsonl', lines.join('\n'))
    expect([stored, counts?.failed]).toEqual([[], 4])
    expect(codes[2]).toEqual(['valueFault', 'messageFault', 'notAMessage'])
  })
})

it('takes the URL from an object when importing into an image field', async () => {
  const fields = [{ name: 'picture', required: true, settings: { type: 'image' as const } }]
  const at = importer(fixture.server, await fixture.server.createDataset({ ...spec, fields }))
  const src = 'https://images.example/a.png'
  const images = [{ src, height: 1, width: 1 }, src, JSON.stringify({ src }), { path: 'a.png' }]
  const rows = images.map((picture, index) => JSON.stringify({ id: `${index}`, picture }))
  const { id } = (await at.upload('rows.jsonl', rows.join('\n'))).body
  const { body } = await at.start(id, { fields: same('picture'), metadata: [], suggestions: [], external_id: 'id' })
  await at.finish()
  expect((await at.job(body.id)).import).toEqual({ rows: 4, created: 3, updated: 0, failed: 1 })
  expect((await at.records()).map((record) => record.fields['picture'])).toEqual([src, src, src])
})
