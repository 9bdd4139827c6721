import { setTimeout as pause } from 'node:timers/promises'
import type { BulkAnswerJob } from '@postil/contract/bulk-answers.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { Response as Answer } from '@postil/contract/responses.ts'
import type { Client, Credentials } from '@postil/testkit/client.ts'
import type { Factories, TestUser } from '@postil/testkit/factories.ts'
import { datasetNoOf } from '#platform/ids.ts'
import { must } from '../stage.ts'

/** A server as a crowd sees it: it may be another process each time that it is spoken to. */
export type Shown = Pick<Factories, 'createDataset' | 'createUser'> & {
  readonly owner: Credentials
  readonly as: (user: Credentials) => Client
  /** What it keeps of a dataset otherwise than its records and answers say. */
  readonly recount: (datasetNo: number) => Promise<readonly unknown[]>
}

type Listed = WireRecord & { readonly responses?: readonly Answer[] }
/** What is asked again while a job runs, in milliseconds. */
const LOOK_MS = 10
export const MIN_SUBMITTED = 2
export const NOBODY = '00000000-0000-7000-8000-000000000000'
const yesOrNo = { type: 'label_selection', options: ['yes', 'no'].map((value) => ({ value, text: value })) }

/** One deed of one person. */
export type Deed = { readonly did: string; readonly perform: (crowd: Crowd) => Promise<unknown> }

type Place = {
  readonly datasetId: string
  readonly datasetNo: number
  readonly questions: readonly string[]
  readonly language: string
  readonly workspace: string
}

/** A dataset, and people who work in it through eight clients; what the records were before the round is known to all. */
export class Crowd {
  readonly server: Shown
  readonly people: readonly TestUser[]
  readonly place: Place
  /** Of everybody who ever had a part in it, by their ids. */
  readonly names: Map<string, string>
  #records: readonly Listed[] = []

  private constructor(server: Shown, people: readonly TestUser[], place: Place) {
    this.server = server
    this.people = people
    this.names = new Map(people.map(({ id, username }) => [id, username]))
    this.place = place
  }

  static async gather(server: Shown, people: readonly TestUser[], workspace: string): Promise<Crowd> {
    const { id } = await server.createDataset({
      workspace_id: workspace,
      distribution: { strategy: 'overlap', min_submitted: MIN_SUBMITTED },
      questions: [
        { name: 'label', required: true, settings: yesOrNo },
        { name: 'sure', required: false, settings: yesOrNo },
      ],
      metadata_properties: [{ name: 'lang', settings: { type: 'terms' } }],
    })
    const owner = server.as(server.owner)
    const idsOf = async (path: string) => {
      const { items } = must(await owner.get<{ items: { id: string }[] }>(path))
      return items.map((item) => item.id)
    }
    const records = Array.from({ length: 10 }, () => ({ fields: { text: 'alpha' } }))
    must(await owner.post(`/datasets/${id}/records/bulk`, { items: records }))
    const [record = ''] = await idsOf(`/datasets/${id}/records`)
    const [language = ''] = await idsOf(`/me/datasets/${id}/metadata-properties`)
    const questions = await idsOf(`/datasets/${id}/questions`)
    const crowd = new Crowd(server, people, { datasetId: id, datasetNo: datasetNoOf(record), questions, language, workspace })
    await crowd.look()
    return crowd
  }

  get dataset(): string {
    return `/datasets/${this.place.datasetId}`
  }
  as(who: number): Client {
    return this.server.as(this.people[who % this.people.length] as TestUser)
  }
  admin(): Client {
    return this.server.as(this.people[0] as TestUser)
  }

  /** Reads all records and answers again. */
  async look(): Promise<readonly Listed[]> {
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

  /** Somebody who joins for a while: is deleted, leaves the workspace, or may not sign in any more. */
  async visitor() {
    const user = await this.server.createUser({ workspaces: [this.place.workspace] })
    this.names.set(user.id, user.username)
    const owner = this.server.as(this.server.owner)
    return {
      client: this.server.as(user),
      leave: async () => must(await owner.delete(`/users/${user.id}`)),
      part: async () => must(await owner.delete(`/workspaces/${this.place.workspace}/users/${user.id}`)),
      rest: async () => must(await owner.patch(`/users/${user.id}`, { active: false })),
    }
  }

  /** Waits for a job that answers records. @returns how many it stored. @throws where it failed */
  async untilAnswered(client: Client, id: string): Promise<number> {
    for (;;) {
      const { items } = must(await client.get<{ items: BulkAnswerJob[] }>(`/me${this.dataset}/responses/bulk-jobs`))
      const job = items.find((one) => one.job.id === id)?.job
      if (job?.status === 'finished') return job.answers?.stored ?? 0
      if (job?.status !== 'queued' && job?.status !== 'started') throw new Error(`the job is ${job?.status}: ${job?.reason}`)
      await pause(LOOK_MS)
    }
  }

  /**
   * Does all at once.
   * @param isCutOff whether a deed that fails is none of the server's faults
   * @returns how many were answered. @throws when the server fails at one of them
   */
  async doAll(deeds: readonly Deed[], isCutOff: (reason: unknown) => boolean = () => false): Promise<number> {
    const outcomes = await Promise.allSettled(deeds.map(({ perform }) => perform(this)))
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') {
        if (!isCutOff(outcome.reason)) throw outcome.reason
        continue
      }
      const { status = 200, body = null } = (outcome.value ?? {}) as { status?: number; body?: unknown }
      if (status >= 500) throw new Error(`${deeds[i]?.did}: ${status} ${JSON.stringify(body)}`)
    }
    return outcomes.filter(({ status }) => status === 'fulfilled').length
  }
}
