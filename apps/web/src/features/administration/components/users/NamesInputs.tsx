import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Input } from '#ui/controls/Input.tsx'

export type Names = { readonly username: string; readonly first_name: string; readonly last_name: string }

export const hasNames = ({ username, first_name }: Names): boolean => username.trim() !== '' && first_name.trim() !== ''

/**
 * Returns the names as the server stores them: without surrounding spaces, which users can't see. An unchanged username is kept
 * as it is.
 */
export const trimmed = ({ username, first_name, last_name }: Names, was?: string) => ({
  username: username === was ? username : username.trim(),
  first_name: first_name.trim(),
  last_name: last_name.trim() || null,
})

/** Whether the error says that the username is already taken. */
export const isAboutUsername = (problem: unknown): boolean => problem instanceof ApiError && problem.coded?.code === 'userExists'

type Props = {
  readonly names: Names
  readonly onChange: (names: Names) => void
  /** The error of the last attempt, or null. */
  readonly problem: unknown
}

export const NamesInputs = ({ names, onChange, problem }: Props) => {
  const { t } = useTranslation('features/administration')
  const username = useRef<HTMLInputElement>(null)
  const [dismissedProblem, setDismissedProblem] = useState<unknown>(null)
  const isUsernameTaken = isAboutUsername(problem)
  useEffect(() => {
    if (!isUsernameTaken) return
    // Scrolls the input to the center, because in a scrolling dialog it may be far from the button that was pressed.
    username.current?.focus({ preventScroll: true })
    username.current?.scrollIntoView({ block: 'center' })
  }, [isUsernameTaken])
  return (
    <>
      <Input
        ref={username}
        label={t('users.username')}
        error={isUsernameTaken && dismissedProblem !== problem ? problemMessage(problem) : null}
        hint={t('users.usernameHint')}
        required
        autoComplete="off"
        autoCapitalize="none"
        maxLength={500}
        value={names.username}
        onChange={(event) => {
          // The error doesn't apply to a new username.
          setDismissedProblem(problem)
          onChange({ ...names, username: event.target.value })
        }}
      />
      <Input
        label={t('users.firstName')}
        required
        autoComplete="off"
        value={names.first_name}
        onChange={(event) => onChange({ ...names, first_name: event.target.value })}
      />
      <Input
        label={t('users.lastName')}
        autoComplete="off"
        value={names.last_name}
        onChange={(event) => onChange({ ...names, last_name: event.target.value })}
      />
    </>
  )
}
