import type { AuditEntry } from '@postil/contract/audit.ts'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { unread } from '#lib/api/unread.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { toastProblem } from '#ui/telling/toast.ts'
import { Skeleton } from '#ui/waiting/Skeleton.tsx'
import type { AuditArea } from '../../audit-api.ts'
import { auditAreas, auditPageSize, auditQuery, readAudit } from '../../audit-api.ts'
import styles from '../AdministrationPage.module.css'
import { SectionHead } from '../SectionHead.tsx'
import log from './AuditSection.module.css'

/** Who did what to the server, its people and its datasets. Nobody can change it. */
export const AuditSection = () => {
  const { t } = useTranslation('features/administration')
  const [area, setArea] = useState<AuditArea | ''>('')
  const areas = [
    { value: '' as const, label: t('audit.all') },
    ...auditAreas.map((one) => ({ value: one, label: t(`audit.area.${one}`) })),
  ]
  return (
    <>
      <SectionHead title={t('section.audit')}>
        <Select label={t('audit.show')} value={area} options={areas} onChange={setArea} />
      </SectionHead>
      <Entries key={area} area={area || null} />
    </>
  )
}

const Entries = ({ area }: { readonly area: AuditArea | null }) => {
  const { t } = useTranslation('features/administration')
  const read = useQuery(auditQuery(area))
  const { data: newest } = read
  const [older, setOlder] = useState<readonly AuditEntry[]>([])
  const [busy, setBusy] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const error = unread(read)
  if (error) throw error
  if (!newest) return <Skeleton height="6lh" />
  // The newest may have become more since older ones were read.
  const ids = new Set(newest.map(({ id }) => id))
  const entries = [...newest, ...older.filter(({ id }) => !ids.has(id))]
  const more = async (): Promise<void> => {
    setBusy(true)
    try {
      const page = await readAudit(area, entries.at(-1)?.id ?? null)
      setOlder([...older, ...page])
      setWhole(page.length < auditPageSize)
    } catch (problem) {
      toastProblem(problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <p className={styles['none']}>{entries.length === 0 ? t('audit.none') : t('audit.explain')}</p>
      {entries.length > 0 && (
        <ol className={log['entries']} aria-labelledby="section-title">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {newest.length === auditPageSize && !isWhole && (
        <Button look="quiet" busy={busy} onClick={() => void more()}>
          {t('audit.more')}
        </Button>
      )}
    </>
  )
}

/** What is meant by an id, which shows on hover; the id itself where nobody knows. */
const Named = ({ id, name }: { readonly id: string | null; readonly name: string | null }) => (
  <bdi title={name === null ? undefined : (id ?? undefined)}>{name ?? id}</bdi>
)

const Entry = ({ entry }: { readonly entry: AuditEntry }) => {
  const { at, actor, action, target, details, names, address } = entry
  // What was left out of something new says nothing; of something changed it says that it was taken away.
  const told = Object.entries(details).filter(([, value]) => value !== null || !action.endsWith('.create'))
  return (
    <li className={log['entry']}>
      <time dateTime={`${at}Z`} className={log['time']}>
        {formatDateTime(at)}
      </time>
      <div className={log['what']}>
        <span>
          <bdi className={log['actor']} title={actor.id ?? undefined}>
            {actor.name}
          </bdi>{' '}
          <code>{action}</code> {(target.name ?? target.id) !== null && <Named id={target.id} name={target.name} />}
        </span>
        {told.length > 0 && (
          <span className={log['facts']}>
            {told.map(([name, value], i) => (
              <Fragment key={name}>
                {i > 0 && ' · '}
                {name}: {names[name] === undefined ? String(value ?? '–') : <Named id={String(value)} name={names[name]} />}
              </Fragment>
            ))}
          </span>
        )}
      </div>
      {address !== null && <span className={log['address']}>{address}</span>}
    </li>
  )
}
