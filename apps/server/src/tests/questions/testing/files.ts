import type { ImportFile } from '@postil/contract/files/imports.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { ModelConnection } from '@postil/contract/model-connections.ts'
import type { ModelRun, ModelRunItem } from '@postil/contract/model-runs.ts'
import type { StandInHub } from '@postil/testkit/stand-in-hub/stand-in-hub.ts'
import type { StandInModel } from '@postil/testkit/stand-in-model.ts'
import { parquetReadObjects } from 'hyparquet'
import { expect } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import type { Features } from './feature.ts'
import { complete, createKindTeam, given, type KindTeam, rowsOf, skipping } from './team.ts'

const fill = async ({ sample, users: [ann, bob], answer, suggest, gold }: KindTeam) => {
  must(await answer(ann, 0, { ...complete(sample), retired: { value: sample.value } }))
  must(await answer(bob, 0, skipping(sample)))
  must(await answer(ann, 1, given({ gate: 'skip', asked: sample.other, conditional: sample.value })))
  must(await suggest(0, 'asked', sample.value))
  must(await suggest(2, 'conditional', sample.other))
  must(await gold(0, complete(sample)))
}

const contents = async ({ records, idOf }: KindTeam) => {
  const names = new Map(['asked', 'conditional', 'retired'].map((name) => [idOf(name), name]))
  return (await records()).map(({ external_id, responses = [], suggestions = [] }) => ({
    external_id,
    answers: responses.map(({ user_id, status, values }) => ({ user_id, status, values })),
    suggestions: suggestions.map(({ question_id, value }) => ({ question: names.get(question_id), value })),
  }))
}

const parquetRows = async (bytes: Uint8Array) => {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
  return (await parquetReadObjects({ file })) as { readonly [column: string]: unknown }[]
}
/** Converts the values of a Parquet file to JSON values, so that big integers become numbers. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one)) ?? 'null')

/** Finds a person by username or ID, because some files contain usernames and others contain IDs. */
const userOf = ({ users }: KindTeam, name: string) => users.find(({ id, username }) => id === name || username === name)?.id

const importInto = async (source: KindTeam, name: string, content: Uint8Array) => {
  const target = await createKindTeam(source.server, source.sample, {
    records: false,
    workspace: source.dataset.workspace_id,
  })
  const { owner, path, finished } = target
  const type = { 'content-type': 'application/octet-stream' }
  const file = must(await owner.post<ImportFile>(`${path}/imports/files?name=${name}`, content, type))
  const annotators = file.contents?.annotations.map((one) => ({
    name: one.name,
    as: 'answers',
    user_id: userOf(source, one.name),
  }))
  const mapping = { ...file.mapping, ...(annotators !== undefined && { annotators }) }
  const job = await finished(must(await owner.post<Job>(`${path}/imports/files/${file.id}/start`, { mapping })))
  expect(job.import).toMatchObject({ failed: 0 })
  return target
}

/** Features that write answers to files and services, and read them back. */
export const fileFeatures = (services: () => { readonly hub: StandInHub; readonly model: StandInModel }): Features => ({
  downloads: async (team) => {
    await fill(team)
    const { sample, download } = team
    const printed = sample.printed ?? sample.value
    const [wide] = rowsOf(await download(''))
    expect(wide).toMatchObject({
      'asked.responses': [printed, printed],
      'conditional.responses': [printed, null],
      'retired.responses': [printed, null],
      'asked.suggestion': printed,
      'conditional.gold': printed,
      ...(sample.paths !== undefined && { 'asked.responses.path': [sample.paths, sample.paths] }),
    })
    const long = rowsOf(await download('shape=long'))
    expect(long[0]).toMatchObject({
      'response.asked': printed,
      'response.conditional': printed,
      ...(sample.paths !== undefined && { 'label_path.asked': sample.paths }),
    })
    expect(long[1]?.['response.conditional'] ?? null).toBeNull()
    const [final] = rowsOf(await download('shape=final'))
    expect(final).toMatchObject({
      'final.asked': printed,
      'final.conditional': printed,
      ...(sample.paths !== undefined && { 'final.asked.path': sample.paths }),
    })
  },

  ...Object.fromEntries(
    ['jsonl', 'csv', 'parquet'].map((ending) => [
      `the import of a download as ${ending}`,
      async (team: KindTeam) => {
        await fill(team)
        const target = await importInto(team, `own.${ending}`, await team.download('', ending))
        expect(await contents(target)).toEqual(await contents(team))
      },
    ]),
  ),

  'the Hub': async (team) => {
    await fill(team)
    const { sample, owner, path, finished } = team
    const name = `team/${sample.name.replaceAll(' ', '-')}`
    services().hub.allow('hf_token', ['team'])
    await finished(must(await owner.post<Job>(`${path}/export`, { name, token: 'hf_token' })))
    const file = services().hub.repositories.get(name)?.files.get('data/train-00000-of-00001.parquet')
    const bytes = new Uint8Array(file ?? [])
    const [row] = await parquetRows(bytes)
    const printed = plain(sample.printed ?? sample.value)
    expect(plain(row)).toMatchObject({
      'asked.responses': [printed, printed],
      'conditional.responses': [printed, null],
      'asked.gold': printed,
    })
    const target = await importInto(team, 'hub.parquet', bytes)
    expect(await contents(target)).toEqual(await contents(team))
  },

  'a model run': async (team) => {
    const { sample, owner, path, dataset, finished, records } = team
    const { model } = services()
    const connection = must(
      await owner.post<ModelConnection>(`/workspaces/${dataset.workspace_id}/model-connections`, {
        name: sample.name,
        base_url: model.url,
        model: 'small',
      }),
    )
    const run = async (answers: object) => {
      model.reply(() => answers)
      const body = { connection_id: connection.id, name: 'judge', questions: ['gate', 'asked', 'conditional'] }
      const started = must(await owner.post<ModelRun>(`${path}/model-runs`, body))
      if (started.job !== null) await finished(started.job)
      const { items } = must(await owner.get<{ items: ModelRunItem[] }>(`/model-runs/${started.id}/items`))
      return { id: started.id, items }
    }
    const wrong = await run({ gate: 'ask', asked: sample.misshapen, conditional: sample.answered })
    expect(wrong.items.map(({ values, reason }) => [values, reason !== null])).toEqual(Array(3).fill([null, true]))
    const { id, items } = await run({ gate: 'skip', asked: sample.answered, conditional: sample.answered })
    const values = items.map((item) => Object.keys(item.values ?? {}).toSorted())
    expect(values).toEqual([
      ['asked', 'gate'],
      ['asked', 'conditional', 'gate'],
      ['asked', 'gate'],
    ])
    const published = must(await owner.post<ModelRun>(`/model-runs/${id}/publish`))
    if (published.job !== null) await finished(published.job)
    const found = (await records()).map(({ suggestions = [] }) => suggestions.map(({ value }) => value))
    const { value } = sample
    expect(found).toEqual([
      ['skip', value],
      ['skip', value, value],
      ['skip', value],
    ])
    model.reply(null)
  },
})
