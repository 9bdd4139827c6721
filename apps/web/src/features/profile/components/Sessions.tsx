import type { MySession } from '@postil/contract/people/auth.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { signOut } from '#features/auth/service.ts'
import { formatAgo } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { href } from '#lib/api/base.ts'
import { Button } from '#ui/controls/Button.tsx'
import { useFocusKept } from '#ui/page/use-focus-kept.ts'
import { tellDone } from '#ui/telling/done.ts'
import { toastProblem } from '#ui/telling/toast.ts'
import { endAllSessions, endSession, sessionsQuery } from '../api.ts'
import { browserOf } from '../browser-of.ts'
import styles from './ProfilePage.module.css'

/** Where the user is signed in, for a device that was lost, or a browser that was left signed in. */
export const Sessions = () => {
  const { t } = useTranslation('features/profile')
  const { data: sessions, dataUpdatedAt } = useQuery(sessionsQuery())
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const part = useRef<HTMLElement>(null)
  useFocusKept(part)
  const end = async (): Promise<void> => {
    setBusy(true)
    try {
      await signOut(client, endAllSessions)
      // A whole new page: nothing of the user is left in memory. Unsent answers stay on the device.
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
      {/* Last: it comes later, and is as long as there are sessions. What is pressed stays where it is. */}
      {sessions && sessions.length > 0 && (
        <ul className={styles['sessions']}>
          {sessions.map((session) => (
            <li key={session.id}>
              <OneSession session={session} now={dataUpdatedAt} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const OneSession = ({ session, now }: { readonly session: MySession; readonly now: number }) => {
  const { t } = useTranslation('features/profile')
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const { queryKey } = sessionsQuery()
  const name = browserOf(session.agent) ?? t('sessionUnknown')
  const end = async (): Promise<void> => {
    setBusy(true)
    await endSession(session.id).then(() => tellDone(t('sessionEnded', { name })), toastProblem)
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
