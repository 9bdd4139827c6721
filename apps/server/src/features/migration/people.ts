import type { AppContext } from '#context.ts'
import { adoptUser } from '#features/users/public.ts'
import { adoptMembers, adoptWorkspace } from '#features/workspaces/public.ts'
import { hashToken, newApiKey } from '#platform/auth/credentials.ts'
import type { Plan, PlannedUser } from './plan.ts'
import type { SourceClient } from './source/client.ts'
import { readUsers } from './source/read.ts'
import type { SourceUser } from './source/shapes.ts'

/** Stores the passwords of copied users for the person who runs the migration. */
export type PasswordBook = {
  /**
   * Returns the password for a user who is about to be created. The password is stored beforehand: if the migration is
   * interrupted and repeated, the user gets the same password.
   */
  readonly passwordOf: (username: string) => Promise<string>
}

const keyOf = ({ secrets }: AppContext, apiKey: string) => ({
  api_key_hash: hashToken(apiKey),
  api_key_sealed: secrets.encrypt(apiKey),
})

const hasControl = (text: string): boolean => /[\p{Cc}\p{Cs}]/u.test(text)

/** Maps users at the source to users on this server. */
export class People {
  readonly #ctx: AppContext
  readonly #client: SourceClient
  readonly #book: PasswordBook
  readonly #planned: Map<string, PlannedUser>
  /** The IDs of users on this server, by their IDs at the source. */
  readonly #here = new Map<string, string>()
  readonly notes: string[] = []
  made = 0

  constructor(ctx: AppContext, client: SourceClient, { everybody }: Plan, book: PasswordBook) {
    this.#ctx = ctx
    this.#client = client
    this.#book = book
    this.#planned = new Map(everybody.map((one) => [one.source.id, one]))
  }

  async #add(user: SourceUser): Promise<string> {
    const { api_key, active, agent, ...row } = user
    const password_hash = await this.#ctx.passwords.hash(await this.#book.passwordOf(user.username))
    const { id, made, usesKey } = await this.#ctx.store.write(adoptUser, {
      user: { ...row, password_hash, deactivated_at: active ? null : user.updated_at, is_agent: agent },
      key: api_key === null || api_key === '' || hasControl(api_key) ? null : keyOf(this.#ctx, api_key),
      fallbackKey: keyOf(this.#ctx, newApiKey()),
    })
    if (made) this.made += 1
    if (made && !usesKey)
      this.notes.push(`User '${user.username}' has a new API key, because the source key is unknown or already in use here.`)
    return id
  }

  /** Returns the local ID of a source user and creates the user if necessary; null if the source doesn't list the user. */
  async localId(sourceId: string): Promise<string | null> {
    const known = this.#here.get(sourceId)
    if (known !== undefined) return known
    const planned = this.#planned.get(sourceId) ?? (await this.#newcomer(sourceId))
    if (planned === null) return null
    const id = planned.isNew ? await this.#add(planned.source) : planned.id
    this.#here.set(sourceId, id)
    return id
  }

  /**
   * Returns the IDs that users of the source have on this server, or will get when they are copied. Leaves out users who weren't
   * listed when the plan was made.
   */
  idsOf(usernames: readonly string[]): readonly string[] {
    const ids = new Map([...this.#planned.values()].map(({ source, id }) => [source.username, id]))
    return usernames.flatMap((username) => ids.get(username) ?? [])
  }

  /** Finds a user who was added at the source after the plan was made. */
  async #newcomer(sourceId: string): Promise<PlannedUser | null> {
    for (const user of await readUsers(this.#client)) {
      if (!this.#planned.has(user.id)) this.#planned.set(user.id, { source: user, id: user.id, isNew: true })
    }
    return this.#planned.get(sourceId) ?? null
  }
}

/** Creates the planned users, workspaces and memberships that don't exist on this server yet. */
export const copyPeople = async ({ store }: AppContext, plan: Plan, people: People): Promise<void> => {
  for (const { source } of plan.users) await people.localId(source.id)
  for (const workspace of plan.workspaces) {
    const { inserted_at, updated_at } = workspace.source
    const { id, name } = workspace
    if (workspace.isNew) await store.write(adoptWorkspace, { id, name, inserted_at, updated_at })
    const members: string[] = []
    for (const member of workspace.members) {
      const localUser = await people.localId(member)
      if (localUser !== null) members.push(localUser)
    }
    await store.write(adoptMembers, { id, user_ids: members })
  }
}
