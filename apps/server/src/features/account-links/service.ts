import {
  acceptInvitation as acceptEndpoint,
  type Invitation,
  type InvitationCreate,
  type InvitationLink,
  type NewPasswordLink,
  type OpenInvitation,
  type OpenPasswordLink,
  type PasswordLink,
  usePasswordLink as useEndpoint,
} from '@postil/contract/people/account-links.ts'
import type { User as UserPayload } from '@postil/contract/people/users.ts'
import { forbidden, Problem } from '@postil/contract/wire/errors.ts'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '#context.ts'
import { storeOf } from '#features/audit/public.ts'
import * as auth from '#features/auth/public.ts'
import * as queue from '#features/queue/public.ts'
import * as users from '#features/users/public.ts'
import { actorOf } from '#platform/auth/actor.ts'
import { hashToken, newToken } from '#platform/auth/credentials.ts'
import type { SignInMethod } from '#platform/auth/security-log.ts'
import type { User } from '#platform/auth/user.ts'
import { originOf } from '#platform/http/hosts.ts'
import { newId } from '#platform/ids.ts'
import { now, printTime } from '#platform/time.ts'
import * as commands from './commands.ts'
import { accountLinkPolicy } from './policy.ts'
import * as queries from './queries.ts'
import { grantOf, type InvitationRow, type PasswordLinkRow } from './store.ts'

/** The page that a link opens. */
type LinkPage = 'invitation' | 'new-password'

/** Browsers don't send the part after `#`, so no server, proxy or log sees the token. */
const linkTo = ({ config }: AppContext, request: FastifyRequest, page: LinkPage, token: string): string =>
  `${originOf(config, request)}${config.baseUrl}${page}#link=${token}`

const presentInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  username: row.username,
  first_name: row.first_name,
  last_name: row.last_name,
  role: row.role,
  workspaces: row.workspaces.map(({ id, name }) => ({ id, name })),
  invited_by: { id: row.invited_by, username: row.inviter },
  inserted_at: printTime(row.inserted_at),
  expires_at: printTime(row.expires_at),
})

const presentPasswordLink = (row: PasswordLinkRow): PasswordLink => ({
  user: { id: row.id, username: row.username },
  created_by: { id: row.created_by, username: row.creator },
  inserted_at: printTime(row.inserted_at),
  expires_at: printTime(row.expires_at),
})

export const listInvitations = async (ctx: AppContext, user: User): Promise<{ items: Invitation[] }> => {
  if (!accountLinkPolicy.listInvitations(user)) throw forbidden()
  const { invitations, own } = await ctx.store.read(queries.listInvitations, { id: user.id })
  const mine = invitations.filter((one) => accountLinkPolicy.manageInvitation(user, own, grantOf(one)))
  return { items: mine.map(presentInvitation) }
}

export const createInvitation = async (
  ctx: AppContext,
  user: User,
  { last_name, ...body }: InvitationCreate,
  request: FastifyRequest,
): Promise<InvitationLink> => {
  const token = newToken()
  const row = await ctx.store.write(commands.createInvitation, {
    actor: actorOf(user),
    invitation: { ...body, last_name: last_name ?? null },
    link: { token_hash: hashToken(token), seconds: ctx.config.invitationSeconds },
  })
  return { ...presentInvitation(row), link: linkTo(ctx, request, 'invitation', token) }
}

export const renewInvitation = async (
  ctx: AppContext,
  user: User,
  id: string,
  request: FastifyRequest,
): Promise<InvitationLink> => {
  const token = newToken()
  const link = { token_hash: hashToken(token), seconds: ctx.config.invitationSeconds }
  const row = await ctx.store.write(commands.renewInvitation, { actor: actorOf(user), id, link })
  return { ...presentInvitation(row), link: linkTo(ctx, request, 'invitation', token) }
}

export const deleteInvitation = async (ctx: AppContext, user: User, id: string): Promise<Invitation> =>
  presentInvitation(await ctx.store.write(commands.deleteInvitation, { actor: actorOf(user), id }))

/**
 * Looks up a link. An unknown link counts as a failed sign-in from the request's IP address. @throws Problem unauthorized,
 * too_many
 */
const findOpen = async <T>(
  ctx: AppContext,
  means: SignInMethod,
  request: FastifyRequest,
  find: () => Promise<T | null>,
): Promise<T> =>
  ctx.attempts.make(null, request.ip, async () => {
    const found = await find()
    if (found !== null) return found
    ctx.security.note('sign-in failed', { address: request.ip, request: request.id, means })
    throw commands.expiredLink()
  })

const findInvitation = (ctx: AppContext, token: string, request: FastifyRequest): Promise<InvitationRow> =>
  findOpen(ctx, 'invitation', request, () => ctx.store.read(queries.findInvitation, { token_hash: hashToken(token) }))

const findPasswordLink = (ctx: AppContext, token: string, request: FastifyRequest): Promise<PasswordLinkRow> =>
  findOpen(ctx, 'password link', request, () => ctx.store.read(queries.findPasswordLink, { token_hash: hashToken(token) }))

export const readInvitation = async (ctx: AppContext, token: string, request: FastifyRequest): Promise<OpenInvitation> => {
  const row = await findInvitation(ctx, token, request)
  return {
    username: row.username,
    first_name: row.first_name,
    role: row.role,
    workspaces: row.workspaces.map(({ name }) => name),
    expires_at: printTime(row.expires_at),
  }
}

type Accepted = { readonly token: string; readonly username: string; readonly password: string }

/** Creates the invited user and signs them in. @throws Problem unauthorized, validation, conflict, too_many */
export const acceptInvitation = async (
  ctx: AppContext,
  { token, username: typed, password }: Accepted,
  request: FastifyRequest,
): Promise<auth.NewSession> => {
  // Names that look the same must not belong to two people.
  const username = typed.normalize('NFC').trim()
  const invitation = await findInvitation(ctx, token, request)
  await users.checkChosenPassword(password, username)
  const { role, first_name, last_name } = invitation
  const id = newId()
  const user = await users.newUserRow(ctx, { id, username, password, role, first_name, last_name })
  const body = { username, role, invitation_id: invitation.id }
  const store = storeOf(ctx.store, { endpoint: acceptEndpoint, user: { id, username }, body, address: request.ip })
  const reserved = [ctx.config.hubOwner, ctx.config.demoUser].filter((name) => name !== undefined)
  // Limits how many usernames a person can guess with one invitation.
  await ctx.attempts.make(`invitation ${invitation.id}`, request.ip, () =>
    store.write(commands.acceptInvitation, { token_hash: hashToken(token), user, reserved }),
  )
  ctx.security.note('signed in', { address: request.ip, request: request.id, means: 'invitation', user: id })
  return auth.openSession(ctx, { id, username, first_name, role }, request)
}

export const listPasswordLinks = async (ctx: AppContext, user: User): Promise<{ items: PasswordLink[] }> => {
  if (!accountLinkPolicy.managePasswordLinks(user)) throw forbidden()
  return { items: (await ctx.store.read(queries.listPasswordLinks, null)).map(presentPasswordLink) }
}

export const createPasswordLink = async (
  ctx: AppContext,
  user: User,
  id: string,
  request: FastifyRequest,
): Promise<NewPasswordLink> => {
  await users.checkMayUpdate(ctx, user, id)
  const token = newToken()
  const link = { token_hash: hashToken(token), seconds: ctx.config.passwordLinkSeconds }
  const row = await ctx.store.write(commands.createPasswordLink, { actor: actorOf(user), id, link })
  return { ...presentPasswordLink(row), link: linkTo(ctx, request, 'new-password', token) }
}

export const deletePasswordLink = async (ctx: AppContext, user: User, id: string): Promise<UserPayload> => {
  await users.checkMayUpdate(ctx, user, id)
  return users.present(ctx, user, await ctx.store.write(commands.deletePasswordLink, { id }))
}

export const readPasswordLink = async (ctx: AppContext, token: string, request: FastifyRequest): Promise<OpenPasswordLink> => {
  const { username, expires_at } = await findPasswordLink(ctx, token, request)
  return { username, expires_at: printTime(expires_at) }
}

/** Sets a user's new password. Doesn't change their second factor. @throws Problem unauthorized, validation, too_many */
export const usePasswordLink = async (
  ctx: AppContext,
  { token, password }: { readonly token: string; readonly password: string },
  request: FastifyRequest,
): Promise<void> => {
  const { id, username } = await findPasswordLink(ctx, token, request)
  await users.checkChosenPassword(password, username)
  const password_hash = await ctx.passwords.hash(password)
  const store = storeOf(ctx.store, { endpoint: useEndpoint, user: { id, username }, body: {}, address: request.ip })
  try {
    await store.write(commands.usePasswordLink, { token_hash: hashToken(token), password_hash, at: now() })
  } catch (error) {
    if (error instanceof Problem && error.data.kind === 'unauthorized')
      ctx.security.note('sign-in failed', { address: request.ip, request: request.id, means: 'password link', user: id })
    throw error
  }
  ctx.security.note('password reset', { address: request.ip, request: request.id, means: 'password link', user: id })
  await queue.releaseEverywhere(ctx, id)
}
