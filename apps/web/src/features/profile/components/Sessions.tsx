import type { MySession } from '@postil/contract/people/auth.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { signOut } from '#features/auth/public.ts'
import { formatAgo } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { href } from '#lib/api/base.ts'
import { Button } from '#ui/controls/Button.tsx'
import { showSuccess } from '#ui/feedback/success-toast.ts'
import { toastProblem } from '#ui/feedback/toast.ts'
import { useRestoreFocus } from '#ui/page/use-restore-focus.ts'
import { endAllSessions, endSession, sessionsQuery } from '../api.ts'
import { browserOf } from '../browser-of.ts'
import styles from './ProfilePage.module.css'

export const Sessions = () => {
  const { t } = useTranslation('features/profile')
  const { data: sessions, dataUpdatedAt } = useQuery(sessionsQuery())
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const part = useRef<HTMLElement>(null)
  useRestoreFocus(part)
  const end = async (): Promise<void> => {
    setBusy(true)
    try {
      await signOut(client, endAllSessions)
      // Loads a new page, so that none of the user's data stays in memory. Unsent answers stay on the device.
      window.location.assign(href('/sign-in'))
    } catch (error) {
      toastProblem(error)
      setBusy(false)
    }
  }
  return (
    <section ref={part} tabIndex={-1} className={styles['part']} aria-labelledby="sessions">
      <h2 id="sessions">{t('sessionsList')}</h2>
      <p className={styles['hint']}>{t('sessionsHint')}</p>
      <Button busy={busy} onClick={() => void end()}>
        {t('sessions')}
      </Button>
      {/* The list comes last. It loads late and has a variable length, so it would move the button if it came first. */}
      {sessions && sessions.length > 0 && (
        <ul className={styles['sessions']}>
          {sessions.map((session) => (
            <li key={session.id}>
              <SessionItem session={session} now={dataUpdatedAt} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const SessionItem = ({ session, now }: { readonly session: MySession; readonly now: number }) => {
  const { t } = useTranslation('features/profile')
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const { queryKey } = sessionsQuery()
  const name = browserOf(session.agent) ?? t('sessionUnknown')
  const end = async (): Promise<void> => {
    setBusy(true)
    await endSession(session.id).then(() => showSuccess(t('sessionEnded', { name })), toastProblem)
    await client.invalidateQueries({ queryKey })
    setBusy(false)
  }
  return (
    <>
      <span className={styles['session']}>
        <bdi>{name}</bdi>
        <span className={styles['when']}>
          {session.current ? t('sessionCurrent') : t('sessionSeen', { ago: formatAgo(session.seen_at, now) })}
        </span>
      </span>
      {!session.current && (
        <Button busy={busy} aria-label={t('sessionEndOf', { name })} onClick={() => void end()}>
          {t('sessionEnd')}
        </Button>
      )}
    </>
  )
}
