import type { ImportColumn, ImportFile } from '@postil/contract/files/imports.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { importer } from './fixtures.ts'

const options = (values: readonly string[] | null) => (values ?? []).map((value) => ({ value, text: value }))
const spanField = (columns: readonly ImportColumn[]) =>
  columns.find(({ proposal }) => proposal?.role === 'field' && proposal.type === 'text')?.name

const settingsOf = ({ proposal, values }: ImportColumn, columns: readonly ImportColumn[]) => {
  const type = proposal?.type
  if (type === 'span') return { type, field: spanField(columns), options: options(values), allow_overlapping: true }
  if (type === 'turns') {
    const field = columns.find(({ proposal: one }) => one?.role === 'field' && one.type === 'trace')?.name
    return { type: 'span', postil_kind: type, field, options: options(values), unit: { of: 'turn', required: 'none' } }
  }
  if (type === 'rating') return { type, options: (values ?? []).map((value) => ({ value: Number(value) })) }
  if (type === 'comparison') {
    const fields = values ?? []
    const compare = { options: Object.fromEntries(fields.map((field) => [field, field])) }
    return { type: 'label_selection', postil_kind: type, options: options(fields), compare }
  }
  return type === 'text' ? { type } : { type, options: options(values) }
}

type Kinds = { readonly [column: string]: string }
const fieldSettings = ({ name, proposal }: ImportColumn, kinds: Kinds) => {
  const kind = kinds[name] ?? proposal?.type ?? 'text'
  return kind === 'trace' ? { type: 'custom', view: 'trace' } : { type: kind }
}

/**
 * Returns the settings of a new dataset, as the form for new datasets would send them. The settings contain the fields, questions
 * and metadata properties that are proposed for a file's columns.
 */
const specOf = (columns: readonly ImportColumn[], kinds: Kinds) => {
  const having = (role: string) => columns.filter(({ proposal }) => proposal?.role === role)
  const fields = having('field')
  const required = fields.find(({ complete }) => complete) ?? fields[0]
  const questions = having('suggestion').map((column, i) => ({
    name: column.name,
    title: column.name,
    required: i === 0,
    settings: settingsOf(column, columns),
  }))
  const note = { name: 'note', title: 'Note', required: true, settings: { type: 'text' } }
  return {
    fields: fields.map((column) => ({
      name: column.name,
      title: column.name,
      required: column === required,
      settings: fieldSettings(column, kinds),
    })),
    questions: questions.length > 0 ? questions : [note],
    metadata_properties: having('metadata').map(({ name, proposal }) => ({
      name,
      title: name,
      settings: { type: proposal?.type ?? 'terms' },
    })),
  }
}

export type Imported = {
  readonly file: ImportFile
  readonly job: Job
  readonly records: readonly (WireRecord & { readonly found: { readonly [question: string]: unknown } })[]
}

/**
 * Uploads a file, creates the dataset that is proposed for the file's columns, and imports the file.
 * @param kinds field types to use instead of the proposed types, keyed by column
 */
export const importAsProposed = async (
  server: TestServer,
  name: string,
  content: string | Uint8Array,
  as?: ImportFile['read_as'],
  kinds: Kinds = {},
): Promise<Imported> => {
  const client = server.clientFor(server.owner)
  const sent = await client.post<ImportFile>(`/me/imports/files?name=${encodeURIComponent(name)}`, content, {
    'content-type': 'application/octet-stream',
  })
  if (sent.status !== 201) throw new Error(JSON.stringify(sent.body))
  const file =
    as === undefined ? sent.body : (await client.post<ImportFile>(`/me/imports/files/${sent.body.id}/read-as`, { as })).body
  const same = (role: string) =>
    file.columns.flatMap((column) => (column.proposal?.role === role ? [{ source: column.name, target: column.name }] : []))
  const dataset = await server.createDataset(specOf(file.columns, kinds))
  const { start, finish, job, records } = importer(server, dataset)
  const mapping = {
    fields: same('field'),
    suggestions: same('suggestion'),
    metadata: same('metadata'),
    external_id: same('external_id')[0]?.source ?? null,
  }
  const started = await start(file.id, mapping)
  if (started.status !== 202) throw new Error(JSON.stringify(started.body))
  await finish()
  const questions = await client.get<{ items: { id: string; name: string }[] }>(`/datasets/${dataset.id}/questions`)
  const names = new Map(questions.body.items.map(({ id, name }) => [id, name]))
  return {
    file,
    job: await job(started.body.id),
    records: (await records()).map((record) => ({
      ...record,
      found: Object.fromEntries((record.suggestions ?? []).map(({ question_id, value }) => [names.get(question_id), value])),
    })),
  }
}
