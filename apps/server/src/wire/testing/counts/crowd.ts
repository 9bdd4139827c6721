import { setTimeout as pause } from 'node:timers/promises'
import type { BulkAnswerJob } from '@postil/contract/bulk-answers.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { Response as Answer } from '@postil/contract/responses.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { must } from '../stage.ts'
import type { Deed } from './deed.ts'

type Listed = WireRecord & { readonly responses?: readonly Answer[] }
/** What is asked again while a job runs, in milliseconds. */
const LOOK_MS = 10
export const MIN_SUBMITTED = 2
const NOBODY = '00000000-0000-7000-8000-000000000000'

/** A dataset, and people who work in it through eight clients; what the records were before the round is known to all. */
export class Crowd {
  readonly server: TestServer
  readonly people: readonly TestUser[]
  readonly datasetId: string
  readonly question: string
  readonly workspace: string
  /** Of everybody who ever had a part in it, by their ids. */
  readonly names: Map<string, string>
  #records: readonly Listed[] = []

  private constructor(server: TestServer, people: readonly TestUser[], datasetId: string, question: string, workspace: string) {
    this.server = server
    this.people = people
    this.names = new Map(people.map(({ id, username }) => [id, username]))
    this.datasetId = datasetId
    this.question = question
    this.workspace = workspace
  }

  static async gather(server: TestServer, people: readonly TestUser[], workspace: string): Promise<Crowd> {
    const { id } = await server.createDataset({
      workspace_id: workspace,
      distribution: { strategy: 'overlap', min_submitted: MIN_SUBMITTED },
      metadata_properties: [{ name: 'lang', settings: { type: 'terms' } }],
    })
    const { items } = must(await server.as(server.owner).get<{ items: { id: string }[] }>(`/datasets/${id}/questions`))
    const crowd = new Crowd(server, people, id, items[0]?.id ?? '', workspace)
    const records = Array.from({ length: 10 }, () => ({ fields: { text: 'alpha' } }))
    must(await crowd.admin().post(`${crowd.dataset}/records/bulk`, { items: records }))
    await crowd.look()
    return crowd
  }

  get dataset(): string {
    return `/datasets/${this.datasetId}`
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

  suggestion(record: number): string {
    return this.#pick(record)?.suggestions?.[0]?.id ?? NOBODY
  }

  /** Somebody who joins for a while: is deleted, leaves the workspace, or may not sign in any more. */
  async visitor() {
    const user = await this.server.createUser({ workspaces: [this.workspace] })
    this.names.set(user.id, user.username)
    const owner = this.server.as(this.server.owner)
    return {
      client: this.server.as(user),
      leave: async () => must(await owner.delete(`/users/${user.id}`)),
      part: async () => must(await owner.delete(`/workspaces/${this.workspace}/users/${user.id}`)),
      rest: async () => must(await owner.patch(`/users/${user.id}`, { active: false })),
    }
  }

  /** Waits for a job that answers records. @throws where it failed */
  async untilAnswered(client: Client, id: string): Promise<void> {
    for (;;) {
      const { items } = must(await client.get<{ items: BulkAnswerJob[] }>(`/me${this.dataset}/responses/bulk-jobs`))
      const job = items.find((one) => one.job.id === id)?.job
      if (job?.status === 'finished') return
      if (job?.status !== 'queued' && job?.status !== 'started') throw new Error(`the job is ${job?.status}: ${job?.reason}`)
      await pause(LOOK_MS)
    }
  }

  /** Does all at once. @throws when the server fails at one of them */
  async doAll(deeds: readonly Deed[]): Promise<void> {
    const answers = await Promise.all(deeds.map(({ perform }) => perform(this)))
    for (const [i, answer] of answers.entries()) {
      const { status = 200, body = null } = (answer ?? {}) as { status?: number; body?: unknown }
      if (status >= 500) throw new Error(`${deeds[i]?.did}: ${status} ${JSON.stringify(body)}`)
    }
    await this.look()
  }
}
