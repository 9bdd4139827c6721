import { z } from 'zod'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { itemsOf, printedDatetime, text } from '../wire/scalars.ts'
import { Me, newPassword } from './users.ts'

export const Token = z.strictObject({ access_token: z.string(), token_type: z.literal('bearer') })
export type Token = z.infer<typeof Token>

/** Any text is accepted here. Length limits apply to new passwords only. */
export const Credentials = z.object({ username: text({ keep: false }), password: text({ keep: false }) })
export type Credentials = z.infer<typeof Credentials>

/** Credentials with a code, for users with two-factor authentication. */
export const SignIn = Credentials.extend({ code: text({ keep: false }).optional() })
export type SignIn = z.infer<typeof SignIn>

export const Session = z.strictObject({ user: Me, expires_at: printedDatetime() })
export type Session = z.infer<typeof Session>

export const createToken = defineEndpoint({
  id: 'auth.token',
  method: 'POST',
  path: '/token',
  access: 'none',
  bodyKind: 'form',
  body: SignIn,
  status: 201,
  result: Token,
  errors: [403],
  summary: 'Exchange a username and password for a bearer token',
})
export const createSession = defineEndpoint({
  id: 'session.create',
  method: 'POST',
  path: '/session',
  access: 'none',
  body: SignIn,
  status: 201,
  result: Session,
  errors: [403, 429],
  addition: true,
  summary: 'Sign in a browser and set the session cookie',
})
export const createSessionByLink = defineEndpoint({
  id: 'session.create_by_link',
  method: 'POST',
  path: '/session/link',
  access: 'none',
  body: z.object({ token: text({ keep: false }) }),
  status: 201,
  result: Session,
  errors: [403, 429],
  addition: true,
  summary: 'Sign in a browser with a one-time link',
})
export const createDemoSession = defineEndpoint({
  id: 'session.create_demo',
  method: 'POST',
  path: '/session/demo',
  access: 'none',
  status: 201,
  result: Session,
  errors: [403, 404, 429],
  addition: true,
  summary: 'Sign in a browser as the demo user, if the operator has set one',
})
export const getSession = defineEndpoint({
  id: 'session.get',
  method: 'GET',
  path: '/session',
  result: Session,
  addition: true,
  summary: "Get the caller's browser session",
})
export const showSecondFactor = defineEndpoint({
  id: 'session.show_second_factor',
  method: 'POST',
  path: '/session/second-factor',
  body: z.object({ code: text({ keep: false }) }),
  result: Session,
  errors: [409, 429],
  addition: true,
  summary: 'Complete two-factor authentication and set a new session cookie',
})
export const deleteSession = defineEndpoint({
  id: 'session.delete',
  method: 'DELETE',
  path: '/session',
  addition: true,
  summary: 'Sign out this browser',
})
export const deleteAllSessions = defineEndpoint({
  id: 'session.delete_all',
  method: 'DELETE',
  path: '/session/all',
  errors: [403],
  addition: true,
  summary: "End all of the caller's browser sessions and bearer tokens",
})

export const MySession = z.strictObject({
  id: z.string(),
  inserted_at: printedDatetime(),
  seen_at: printedDatetime(),
  expires_at: printedDatetime(),
  agent: z.string().nullable(),
  current: z.boolean(),
})
export type MySession = z.infer<typeof MySession>

export const listMySessions = defineEndpoint({
  id: 'session.list_mine',
  method: 'GET',
  path: '/me/sessions',
  result: itemsOf(MySession),
  addition: true,
  summary: "List the caller's browser sessions, most recently used first",
})
export const deleteMySession = defineEndpoint({
  id: 'session.delete_mine',
  method: 'DELETE',
  path: '/me/sessions/:session_id',
  errors: [403, 404],
  addition: true,
  summary: "End one of the caller's browser sessions",
})

export const deleteSessionsOf = defineEndpoint({
  id: 'users.delete_sessions',
  method: 'DELETE',
  path: '/users/:user_id/sessions',
  errors: [403, 404],
  addition: true,
  summary: 'End all browser sessions and bearer tokens of a user',
})

export const PasswordChange = z.object({ current_password: text({ keep: false }), password: newPassword })
export type PasswordChange = z.infer<typeof PasswordChange>

export const changeMyPassword = defineEndpoint({
  id: 'users.change_my_password',
  method: 'PUT',
  path: '/me/password',
  body: PasswordChange,
  errors: [403, 422, 429],
  addition: true,
  summary: "Change the caller's password; requires the current one and ends all other sessions and bearer tokens",
})

export const authEndpoints = [
  changeMyPassword,
  createToken,
  createSession,
  createSessionByLink,
  createDemoSession,
  getSession,
  showSecondFactor,
  deleteSession,
  deleteAllSessions,
  deleteSessionsOf,
  listMySessions,
  deleteMySession,
] as const
