import type { OpenInvitation, OpenPasswordLink } from '@postil/contract/people/account-links.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { call } from '#lib/api/client.ts'
import type { SignInMethod } from './api.ts'

/** @throws ApiError 401 for a link that was used, was revoked or has expired */
export const readInvitation = (token: string): Promise<OpenInvitation> =>
  call('POST /invitations/read', { body: { token }, endsSession: false, hasTimeout: true })

/**
 * @throws ApiError 401 if the link was used, was revoked or has expired; 409 if the username is taken; 422 if the password is
 * easy to guess
 */
export const byInvitation =
  (token: string, username: string, password: string): SignInMethod =>
  () =>
    call('POST /invitations/accept', { body: { token, username, password }, endsSession: false, hasTimeout: true })

/** @throws ApiError 401 for a link that was used, was revoked or has expired */
export const readPasswordLink = (token: string): Promise<OpenPasswordLink> =>
  call('POST /password-links/read', { body: { token }, endsSession: false, hasTimeout: true })

/** @throws ApiError 401 for a link that was used, was revoked or has expired; 422 for a password that is easy to guess */
export const setPasswordByLink = (token: string, password: string): Promise<void> =>
  call('POST /password-links/use', { body: { token, password }, endsSession: false, hasTimeout: true })

/** Whether a link doesn't work or no longer works. */
export const isDeadLink = (error: unknown): boolean => error instanceof ApiError && error.status === 401
