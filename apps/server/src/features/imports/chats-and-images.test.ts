import { describe, expect, it } from 'vitest'
import { importer, same, setUpImports, spec } from './testing/given.ts'

const ground = setUpImports()

const said = (content: string) => [{ role: 'user', content }]
const chat = JSON.stringify([{ role: 'bot', content: 'hello' }])

const importing = async (name: string, content: string) => {
  const at = importer(ground.server, await ground.server.createDataset(spec))
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

describe('what is imported into a chat field', () => {
  it('is one message of the user where it is a plain value, and a chat where it is one', async () => {
    const csv = ['id,text,talk', 'a,t,hi', 'b,t,[laughs] 12', 'c,t,', `d,t,"${chat.replaceAll('"', '""')}"`, 'e,t,12'].join('\n')
    const talks = [said('hi'), said('[laughs] 12'), undefined, [{ role: 'bot', content: 'hello' }], said('12')]
    const { checked, stored, counts } = await importing('rows.csv', csv)
    expect([checked, stored, counts]).toEqual([talks, talks, { rows: 5, created: 5, updated: 0, failed: 0 }])
  })

  it('is so in JSON too, whatever the plain value is', async () => {
    const values = ['hi', 1.5, true, '', null]
    const rows = values.map((talk, index) => JSON.stringify({ id: `${index}`, text: 't', talk }))
    const { stored, counts } = await importing('rows.jsonl', rows.join('\n'))
    expect([stored, counts?.failed]).toEqual([[said('hi'), said('1.5'), said('true'), undefined, undefined], 0])
  })

  it('is refused where it is a list of something else, or one that cannot be read', async () => {
    const rows = ['[{"role": "user"', "[{'role': 'user', 'content': 'hi'}]", '[1]', '{"a": 1}']
    const lines = rows.map((talk, index) => JSON.stringify({ id: `${index}`, text: 't', talk }))
    const { stored, counts, codes } = await importing('rows.jsonl', lines.join('\n'))
    expect([stored, counts?.failed]).toEqual([[], 4])
    expect(codes[2]).toEqual(['valueFault', 'messageFault', 'notAMessage'])
  })
})

it('of an image that is an object the address in it is imported', async () => {
  const fields = [{ name: 'picture', required: true, settings: { type: 'image' as const } }]
  const at = importer(ground.server, await ground.server.createDataset({ ...spec, fields }))
  const src = 'https://images.example/a.png'
  const pictures = [{ src, height: 1, width: 1 }, src, JSON.stringify({ src }), { path: 'a.png' }]
  const rows = pictures.map((picture, index) => JSON.stringify({ id: `${index}`, picture }))
  const { id } = (await at.upload('rows.jsonl', rows.join('\n'))).body
  const { body } = await at.start(id, { fields: same('picture'), metadata: [], suggestions: [], external_id: 'id' })
  await at.finish()
  expect((await at.job(body.id)).import).toEqual({ rows: 4, created: 3, updated: 0, failed: 1 })
  expect((await at.records()).map((record) => record.fields['picture'])).toEqual([src, src, src])
})
