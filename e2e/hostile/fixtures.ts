import type { RunningServer } from '../harness/server.ts'
import { callAsOwner, PASSWORD, seedWorkspace } from '../web/fixtures/seed.ts'
import type { Payload } from './payloads.ts'
import { joinPayloads } from './payloads.ts'
import { intruder, PLAIN_TEMPLATE, runaways } from './templates.ts'

export type HostileDataset = {
  readonly id: string
  readonly name: string
  readonly username: string
  /** The expected text of labels on the screen. */
  readonly labels: readonly string[]
  readonly questionTitle: string
}

/** Titles of the fields whose scripts may run. Each of these scripts runs in the frame of its field. */
export const FRAMED_SCRIPTS = ['intruder', 'runaway 0', 'runaway 1']

const PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/**
 * Joins payloads, starting at index `from`, until the next one would exceed `most` characters. After the last payload, continues
 * with the first one.
 */
const joinUpTo = (payloads: readonly Payload[], from: number, most: number): string => {
  let text = ''
  for (const { text: next } of [...payloads.slice(from), ...payloads.slice(0, from)]) {
    if ([...text, ...next].length > most) break
    text += next
  }
  return text
}

/** Creates a user, a dataset and a record. All of their texts are payloads. */
export const seedHostileDataset = async (
  server: RunningServer,
  payloads: readonly Payload[],
  host: string,
): Promise<HostileDataset> => {
  const short = payloads.filter(({ text }) => [...text].length <= 200)
  const text = (index: number): string => short[index % short.length]?.text ?? ''
  const title = (index: number): string => joinUpTo(payloads, index, 500)
  const workspaceId = await seedWorkspace(server, 'hostile')
  const username = text(0)
  const user = await callAsOwner(server, 'POST', '/users', {
    username,
    first_name: text(1),
    last_name: text(2),
    password: PASSWORD,
  })
  await callAsOwner(server, 'POST', `/workspaces/${workspaceId}/users`, { user_id: user.id })

  const name = text(2)
  const body = { name, workspace_id: workspaceId, guidelines: joinUpTo(payloads, 0, 10_000), allow_extra_metadata: true }
  const { id } = await callAsOwner(server, 'POST', '/datasets', body)
  const add = (kind: string, of: { readonly [key: string]: unknown }) =>
    callAsOwner(server, 'POST', `/datasets/${id}/${kind}`, of)
  const custom = (template: string, advanced_mode: boolean) => ({ type: 'custom', template, advanced_mode })

  await add('fields', { name: 'plain', title: title(0), required: true, settings: { type: 'text', use_markdown: false } })
  await add('fields', { name: 'page', title: title(4), settings: { type: 'text', use_markdown: false } })
  await add('fields', { name: 'marked', title: title(8), settings: { type: 'text', use_markdown: true } })
  await add('fields', { name: 'talk', title: title(12), settings: { type: 'chat', use_markdown: true } })
  await add('fields', { name: '__proto__', title: title(16), settings: { type: 'chat', use_markdown: false } })
  await add('fields', { name: 'picture', title: title(20), settings: { type: 'image' } })
  await add('fields', { name: 'vector', title: title(24), settings: { type: 'image' } })
  await add('fields', { name: 'card', title: title(28), settings: custom(PLAIN_TEMPLATE, false) })
  await add('fields', { name: 'tool', title: 'intruder', settings: custom(intruder(host), true) })
  for (const [index, template] of runaways(host).entries()) {
    await add('fields', { name: `runaway${index}`, title: `runaway ${index}`, settings: custom(template, true) })
  }

  const options = short.map((one, index) => ({ value: one.text, text: text(index + 1), description: title(index).slice(0, 400) }))
  const of = (type: string, more: object) => ({ type, ...more })
  const questions = [
    { name: 'label', required: true, settings: of('label_selection', { options, visible_options: options.length }) },
    { name: 'labels', settings: of('multi_label_selection', { options, visible_options: 5 }) },
    { name: 'rating', settings: of('rating', { options: [{ value: 1 }, { value: 2 }] }) },
    { name: 'text', settings: of('text', { use_markdown: true }) },
    { name: 'spans', settings: of('span', { field: 'plain', options: options.slice(0, 20), allow_overlapping: true }) },
    { name: 'constructor', settings: of('ranking', { options: options.slice(0, 5) }) },
  ]
  const made: { [name: string]: string } = {}
  for (const [index, question] of questions.entries()) {
    const { id: questionId } = await add('questions', {
      ...question,
      title: title(index),
      description: joinUpTo(payloads, index, 1000),
    })
    made[question.name] = questionId
  }
  await add('metadata-properties', { name: 'terms', title: title(3), settings: { type: 'terms' } })
  await callAsOwner(server, 'PUT', `/datasets/${id}/publish`)

  const everything = joinPayloads(payloads)
  const role = (index: number): string => [...(payloads[index]?.text ?? '')].slice(0, 20).join('')
  const values = payloads.map((payload) => payload.text)
  // The CSS in a framed page may request an image, because images may come from any server. The canary must not count this
  // request as forbidden, so it gets its own path.
  const framedFields = everything.replaceAll('/run/styleAttribute', '/picture/framed')
  const record = {
    external_id: everything,
    fields: {
      plain: everything,
      page: `<h1>page</h1>${framedFields}`,
      marked: everything,
      talk: values.map((content, index) => ({ role: role(index), content })),
      ['__proto__']: values.map((content) => ({ role: role(values.indexOf(content)), content })),
      picture: `http:${host}/picture/"onerror="${payloads[0]?.text}`,
      vector: `data:image/svg,<svg xmlns="http://www.w3.org/2000/svg" onload="${payloads[0]?.text}"></svg>`,
      card: { note: everything, list: values },
      tool: {},
      runaway0: {},
      runaway1: {},
    },
    metadata: { terms: text(5), [text(6)]: text(7), ['__proto__']: { [text(8)]: values } },
    suggestions: [
      { question_id: made['text'], value: everything, agent: 'a' },
      { question_id: made['labels'], value: [text(0), text(1)], score: [0.1, 0.2], agent: 'a' },
      { question_id: made['spans'], value: [{ start: 2, end: 9, label: text(0) }], score: [0.5], agent: 'a' },
    ],
  }
  const harmlessOption = { fields: { plain: 'calm', picture: PICTURE } }
  await callAsOwner(server, 'POST', `/datasets/${id}/records/bulk`, { items: [record, harmlessOption] })
  return { id, name, username, labels: options.map((option) => option.text), questionTitle: title(0) }
}
