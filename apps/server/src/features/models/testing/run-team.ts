import type { ModelConnection } from '@postil/contract/model-connections.ts'
import type { ModelRun, ModelRunInput, ModelRunItem } from '@postil/contract/model-runs.ts'
import type { Suggestion } from '@postil/contract/suggestions.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { type StandInModel, startStandInModel } from '@postil/testkit/stand-in-model.ts'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { must } from '#features/queue/testing/team.ts'

const SOON = { timeout: 110_000, interval: 200 }
const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))

export const topicQuestion = {
  name: 'topic',
  title: 'What is it about?',
  required: true,
  settings: { type: 'label_selection', options: options('sport', 'money', 'other') },
}
/** One question of every type. */
export const allQuestions = [
  topicQuestion,
  { name: 'tags', title: 'Tags', settings: { type: 'multi_label_selection', options: options('long', 'short', 'odd') } },
  { name: 'stars', title: 'Stars', settings: { type: 'rating', options: [1, 2, 3].map((value) => ({ value })) } },
  { name: 'order', title: 'Order', settings: { type: 'ranking', options: options('first', 'second') } },
  { name: 'parts', title: 'Parts', settings: { type: 'span', field: 'text', options: options('name', 'place') } },
  { name: 'note', title: 'Note', settings: { type: 'text' } },
]

export type RunTeam = {
  readonly owner: Client
  readonly dataset: string
  readonly ids: readonly string[]
  readonly texts: readonly string[]
  readonly connection: ModelConnection
  readonly start: (body?: Partial<ModelRunInput>) => Promise<ModelRun>
  /** Waits until the job of a run has ended. */
  readonly ended: (run: Pick<ModelRun, 'id'>) => Promise<ModelRun>
  readonly items: (run: Pick<ModelRun, 'id'>) => Promise<readonly ModelRunItem[]>
  readonly suggestions: (i: number) => Promise<readonly Suggestion[]>
  readonly publish: (run: Pick<ModelRun, 'id'>, how?: 'publish' | 'unpublish') => Promise<ModelRun>
}

export type ModelServer = { readonly model: StandInModel; readonly server: TestServer }

/** Starts a stand-in for a model for all tests in a file. Also starts a server that can send requests to this stand-in. */
export const setUpModelServer = (): ModelServer => {
  let started: ModelServer | null = null
  beforeAll(async () => {
    const model = await startStandInModel()
    started = { model, server: await bootServer({ env: { POSTIL_MODELS_ALLOW_PRIVATE: 'true' } }) }
  })
  afterAll(async () => {
    await started?.server.close()
    await started?.model.close()
  })
  const running = (): ModelServer => {
    if (started === null) throw new Error('the server has not started')
    return started
  }
  return {
    get model() {
      return running().model
    },
    get server() {
      return running().server
    },
  }
}

export const createRunTeam = async (
  { server, model }: ModelServer,
  {
    texts,
    questions = [topicQuestion],
    fields,
    more = {},
    connection: how = {},
  }: {
    texts: readonly string[]
    questions?: readonly object[]
    fields?: readonly object[]
    /** Values of fields other than the text field. */
    more?: object
    connection?: object
  },
): Promise<RunTeam> => {
  const owner = server.clientFor(server.owner)
  const { id: dataset, workspace_id } = await server.createDataset({
    guidelines: 'Be exact.',
    questions: [...questions] as never,
    ...(fields !== undefined && { fields: [...fields] as never }),
  })
  const made = must(
    await owner.post<{ items: { id: string }[] }>(`/datasets/${dataset}/records/bulk`, {
      items: texts.map((text) => ({ fields: { ...more, text } })),
    }),
  )
  const ids = made.items.map(({ id }) => id)
  const body = { name: 'stand-in', base_url: model.url, model: 'small', ...how }
  const connection = must(await owner.post<ModelConnection>(`/workspaces/${workspace_id}/model-connections`, body))
  const get = async ({ id }: Pick<ModelRun, 'id'>) => must(await owner.get<ModelRun>(`/model-runs/${id}`))
  const ended: RunTeam['ended'] = (run) =>
    vi.waitFor(async () => {
      const found = await get(run)
      expect(['finished', 'failed', 'canceled']).toContain(found.job?.status)
      return found
    }, SOON)
  return {
    owner,
    dataset,
    ids,
    texts,
    connection,
    ended,
    start: async (wanted = {}) =>
      must(
        await owner.post<ModelRun>(`/datasets/${dataset}/model-runs`, {
          connection_id: connection.id,
          name: 'judge',
          questions: ['topic'],
          ...wanted,
        }),
      ),
    items: async ({ id }) => must(await owner.get<{ items: ModelRunItem[] }>(`/model-runs/${id}/items?limit=500`)).items,
    suggestions: async (i) => must(await owner.get<{ items: Suggestion[] }>(`/records/${ids[i]}/suggestions`)).items,
    publish: async (run, how = 'publish') => ended(must(await owner.post<ModelRun>(`/model-runs/${run.id}/${how}`))),
  }
}
