import type { NewSecondFactor, RecoveryCodes, SecondFactor, SecondFactorRefusal } from '@postil/contract/people/second-factor.ts'
import { business, conflict, fault, Problem } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { AppContext } from '#context.ts'
import * as queue from '#features/queue/public.ts'
import * as users from '#features/users/public.ts'
import { isRequired } from '#platform/auth/second-factor-duty.ts'
import type { NewSessionRow } from '#platform/auth/sessions/sessions.ts'
import type { User } from '#platform/auth/user.ts'
import { now, printTime } from '#platform/time.ts'
import { hashOf, isTimed, newRecoveryCodes, newSecret, plainCode, stepOf, uriOf } from './codes.ts'
import * as operations from './operations.ts'

const wrongCode = (second_factor: SecondFactorRefusal): Problem =>
  new Problem({
    kind: 'unauthorized',
    detail:
      second_factor === 'needed'
        ? 'Enter a code from your authenticator app to sign in'
        : 'The code is wrong or was already used',
    extra: { second_factor },
  })
const isActive = () => conflict('A second factor is already set up')
const notActive = () => conflict(message('noSecondFactor'))

const secretOf = (ctx: AppContext, { secret_sealed }: operations.FactorRow): string => {
  const secret = ctx.secrets.decrypt(secret_sealed)
  if (secret === null) throw fault('The second factor was encrypted with a different secret. An owner can remove it')
  return secret
}

/** Whether a code is correct. Each code is accepted only once. */
const consumeCode = async (ctx: AppContext, user_id: string, factor: operations.FactorRow, typed: string): Promise<boolean> => {
  const code = plainCode(typed)
  if (!isTimed(code)) return ctx.store.write(operations.consumeRecoveryCode, { user_id, hash: hashOf(code) })
  const step = stepOf(secretOf(ctx, factor), code)
  return step !== null && ctx.store.write(operations.consumeStep, { user_id, step })
}

/**
 * Requires a code if the user has a second factor. Called after the password was verified. @returns whether the user has a
 * second factor. @throws Problem unauthorized
 */
export const checkAtSignIn = async (ctx: AppContext, { id }: User, code: string | undefined): Promise<boolean> => {
  const factor = await ctx.store.read(operations.findFactor, { user_id: id })
  if (factor === null || factor.active_since === null) return false
  if (code === undefined || code === '') throw wrongCode('needed')
  if (!(await consumeCode(ctx, id, factor, code))) throw wrongCode('wrong')
  return true
}

export const getFactor = async (ctx: AppContext, user: User): Promise<SecondFactor> => {
  const factor = await ctx.store.read(operations.findFactor, { user_id: user.id })
  const active_since = factor?.active_since ?? null
  return {
    active_since: active_since === null ? null : printTime(active_since),
    recovery_codes: active_since === null ? 0 : (factor?.recovery.length ?? 0),
    required: isRequired(ctx.config, user),
  }
}

/**
 * Creates a secret for a user who has just confirmed their password. @throws Problem conflict when a second factor is already
 * active
 */
export const beginFactor = async (ctx: AppContext, { id, username }: User): Promise<NewSecondFactor> => {
  const secret = newSecret()
  const isStored = await ctx.store.write(operations.storeSecret, { user_id: id, secret_sealed: ctx.secrets.encrypt(secret) })
  if (!isStored) throw isActive()
  return { secret, uri: uriOf(secret, username) }
}

/**
 * Verifies a code from a signed-in user. A wrong code counts as a failed sign-in attempt.
 * @param ip the client's address
 * @throws Problem business, too_many
 */
export const show = async (ctx: AppContext, user: User, factor: operations.FactorRow, code: string, ip: string): Promise<void> =>
  ctx.attempts.make(user.username, ip, async () => {
    if (!(await consumeCode(ctx, user.id, factor, code))) throw business('wrong_code', 'The code is wrong or was already used')
  })

/**
 * Activates the second factor with a first code. Ends all earlier sessions.
 * @param session the session to start; null to start none
 * @throws Problem conflict, business, too_many
 */
export const activateFactor = async (
  ctx: AppContext,
  user: User,
  code: string,
  { ip, session }: { readonly ip: string; readonly session: NewSessionRow | null },
): Promise<RecoveryCodes> => {
  const user_id = user.id
  const factor = await ctx.store.read(operations.findFactor, { user_id })
  if (factor === null) throw notActive()
  if (factor.active_since !== null) throw isActive()
  await show(ctx, user, factor, code, ip)
  await queue.releaseEverywhere(ctx, user_id)
  const codes = newRecoveryCodes()
  const activated = { user_id, recovery: codes.map(hashOf), at: now(), session }
  if (!(await ctx.store.write(operations.activate, activated))) throw isActive()
  return { recovery_codes: [...codes] }
}

/** The user's active second factor. @throws Problem conflict */
export const activeFactor = async (ctx: AppContext, user: User): Promise<operations.FactorRow> => {
  const factor = await ctx.store.read(operations.findFactor, { user_id: user.id })
  if (factor === null || factor.active_since === null) throw notActive()
  return factor
}

/** @throws Problem conflict, business, too_many */
export const renewCodes = async (ctx: AppContext, user: User, code: string, ip: string): Promise<RecoveryCodes> => {
  await show(ctx, user, await activeFactor(ctx, user), code, ip)
  const codes = newRecoveryCodes()
  if (!(await ctx.store.write(operations.renewRecovery, { user_id: user.id, recovery: codes.map(hashOf) }))) throw notActive()
  return { recovery_codes: [...codes] }
}

/** @throws Problem conflict, business, too_many */
export const removeFactor = async (ctx: AppContext, user: User, code: string, ip: string): Promise<void> => {
  if (isRequired(ctx.config, user)) throw conflict(message('factorRequired'))
  await show(ctx, user, await activeFactor(ctx, user), code, ip)
  await ctx.store.write(operations.removeFactor, { user_id: user.id, at: now() })
}

/**
 * Removes another user's second factor when that user has lost their device. Only for owners. Ends all of the user's sessions.
 * @throws Problem not_found, forbidden
 */
export const removeFactorOf = async (ctx: AppContext, user: User, user_id: string): Promise<undefined> => {
  await users.checkMayUpdate(ctx, user, user_id)
  await ctx.store.write(operations.resetFactor, { user_id, at: now() })
  await queue.releaseEverywhere(ctx, user_id)
}
