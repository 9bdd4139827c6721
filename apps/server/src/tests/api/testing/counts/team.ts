import { setTimeout as pause } from 'node:timers/promises'
import type { BulkAnswerJob } from '@postil/contract/bulk-answers.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { Response as Answer } from '@postil/contract/responses.ts'
import type { Client, Credentials } from '@postil/testkit/client.ts'
import type { Factories, TestUser } from '@postil/testkit/factories.ts'
import { datasetNoOf } from '#platform/ids.ts'
import { must } from '../fixture.ts'

/** A server that can be called as different users. Each request may be handled by a different process. */
export type ServerHandle = Pick<Factories, 'createDataset' | 'createUser'> & {
  readonly owner: Credentials
  readonly clientFor: (user: Credentials) => Client
  /** Returns the dataset's stored counts that differ from its records and answers. */
  readonly recount: (datasetNo: number) => Promise<readonly unknown[]>
}

type Listed = WireRecord & { readonly responses?: readonly Answer[] }
/** Polling interval while a job runs, in milliseconds. */
const POLL_MS = 10
export const MIN_SUBMITTED = 2
export const NOBODY = '00000000-0000-7000-8000-000000000000'
const yesOrNo = { type: 'label_selection', options: ['yes', 'no'].map((value) => ({ value, text: value })) }

/** One action of one person. */
export type TeamAction = { readonly description: string; readonly perform: (team: Team) => Promise<unknown> }

type TeamDataset = {
  readonly datasetId: string
  readonly datasetNo: number
  readonly questions: readonly string[]
  readonly language: string
  readonly workspace: string
}

/**
 * A dataset and the people who work in it through eight clients. All clients know the records as they were at the start of the
 * round.
 */
export class Team {
  readonly server: ServerHandle
  readonly people: readonly TestUser[]
  readonly place: TeamDataset
  /** The names of all users who have ever taken part, keyed by user ID. */
  readonly names: Map<string, string>
  #records: readonly Listed[] = []

  private constructor(server: ServerHandle, people: readonly TestUser[], place: TeamDataset) {
    this.server = server
    this.people = people
    this.names = new Map(people.map(({ id, username }) => [id, username]))
    this.place = place
  }

  static async create(server: ServerHandle, people: readonly TestUser[], workspace: string): Promise<Team> {
    const { id } = await server.createDataset({
      workspace_id: workspace,
      distribution: { strategy: 'overlap', min_submitted: MIN_SUBMITTED },
      questions: [
        { name: 'label', required: true, settings: yesOrNo },
        { name: 'sure', required: false, settings: yesOrNo },
      ],
      metadata_properties: [{ name: 'lang', settings: { type: 'terms' } }],
    })
    const owner = server.clientFor(server.owner)
    const idsOf = async (path: string) => {
      const { items } = must(await owner.get<{ items: { id: string }[] }>(path))
      return items.map((item) => item.id)
    }
    const records = Array.from({ length: 10 }, () => ({ fields: { text: 'alpha' } }))
    must(await owner.post(`/datasets/${id}/records/bulk`, { items: records }))
    const [record = ''] = await idsOf(`/datasets/${id}/records`)
    const [language = ''] = await idsOf(`/me/datasets/${id}/metadata-properties`)
    const questions = await idsOf(`/datasets/${id}/questions`)
    const team = new Team(server, people, { datasetId: id, datasetNo: datasetNoOf(record), questions, language, workspace })
    await team.reload()
    return team
  }

  get dataset(): string {
    return `/datasets/${this.place.datasetId}`
  }
  as(who: number): Client {
    return this.server.clientFor(this.people[who % this.people.length] as TestUser)
  }
  admin(): Client {
    return this.server.clientFor(this.people[0] as TestUser)
  }

  /** Reloads all records and answers. */
  async reload(): Promise<readonly Listed[]> {
    const path = `${this.dataset}/records?include=responses,suggestions&limit=1000`
    this.#records = must(await this.admin().get<{ items: Listed[] }>(path)).items
    return this.#records
  }

  #pick(record: number): Listed | undefined {
    return this.#records[record % Math.max(1, this.#records.length)]
  }
  id(record: number): string {
    return this.#pick(record)?.id ?? NOBODY
  }
  record(record: number): string {
    return `/records/${this.id(record)}`
  }
  own(who: number, record: number): Answer | undefined {
    const user = this.people[who % this.people.length]
    return this.#pick(record)?.responses?.find(({ user_id }) => user_id === user?.id)
  }
  anyAnswer(record: number, which: number): string {
    const answers = this.#pick(record)?.responses ?? []
    return answers[which % Math.max(1, answers.length)]?.id ?? NOBODY
  }

  question(which: number): string {
    return this.place.questions[which % this.place.questions.length] ?? NOBODY
  }
  suggestions(record: number): readonly string[] {
    return this.#pick(record)?.suggestions?.map(({ id }) => id) ?? []
  }
  suggestion(record: number): string {
    return this.suggestions(record)[0] ?? NOBODY
  }

  async visitor() {
    const user = await this.server.createUser({ workspaces: [this.place.workspace] })
    this.names.set(user.id, user.username)
    const owner = this.server.clientFor(this.server.owner)
    return {
      client: this.server.clientFor(user),
      leave: async () => must(await owner.delete(`/users/${user.id}`)),
      part: async () => must(await owner.delete(`/workspaces/${this.place.workspace}/users/${user.id}`)),
      rest: async () => must(await owner.patch(`/users/${user.id}`, { active: false })),
    }
  }

  /** Waits for a bulk answer job. @returns the number of answers it stored. @throws if the job failed */
  async untilAnswered(client: Client, id: string): Promise<number> {
    for (;;) {
      const { items } = must(await client.get<{ items: BulkAnswerJob[] }>(`/me${this.dataset}/responses/bulk-jobs`))
      const job = items.find((one) => one.job.id === id)?.job
      if (job?.status === 'finished') return job.answers?.stored ?? 0
      if (job?.status !== 'queued' && job?.status !== 'started') throw new Error(`the job is ${job?.status}: ${job?.reason}`)
      await pause(POLL_MS)
    }
  }

  /**
   * Performs all actions at the same time.
   * @param isCutOff whether an action was rejected because the server was deliberately cut off before it responded. Such an
   * action isn't an error
   * @returns the number of actions that got a response. @throws if any other action is rejected or the server fails to perform it
   */
  async doAll(actions: readonly TeamAction[], isCutOff: (reason: unknown) => boolean = () => false): Promise<number> {
    const outcomes = await Promise.allSettled(actions.map(({ perform }) => perform(this)))
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') {
        if (!isCutOff(outcome.reason)) throw outcome.reason
        continue
      }
      const { status = 200, body = null } = (outcome.value ?? {}) as { status?: number; body?: unknown }
      if (status >= 500) throw new Error(`${actions[i]?.description}: ${status} ${JSON.stringify(body)}`)
    }
    return outcomes.filter(({ status }) => status === 'fulfilled').length
  }
}
