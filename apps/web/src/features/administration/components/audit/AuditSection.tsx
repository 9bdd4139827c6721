import type { AuditEntry } from '@postil/contract/audit.ts'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { toastProblem } from '#ui/feedback/toast.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import type { AuditArea } from '../../audit-api.ts'
import { auditAreas, auditPageSize, auditQuery, readAudit } from '../../audit-api.ts'
import styles from '../AdministrationPage.module.css'
import { SectionHeader } from '../SectionHeader.tsx'
import log from './AuditSection.module.css'

/** Who changed what on the server. The log can't be edited. */
export const AuditSection = () => {
  const { t } = useTranslation('features/administration')
  const [area, setArea] = useState<AuditArea | ''>('')
  const areas = [
    { value: '' as const, label: t('audit.all') },
    ...auditAreas.map((one) => ({ value: one, label: t(`audit.area.${one}`) })),
  ]
  return (
    <>
      <SectionHeader title={t('section.audit')}>
        <Select label={t('audit.show')} value={area} options={areas} onChange={setArea} />
      </SectionHeader>
      <Entries key={area} area={area || null} />
    </>
  )
}

const Entries = ({ area }: { readonly area: AuditArea | null }) => {
  const { t } = useTranslation('features/administration')
  const read = useQuery(auditQuery(area))
  const { data: newest } = read
  const [olderEntries, setOlderEntries] = useState<readonly AuditEntry[]>([])
  const [busy, setBusy] = useState(false)
  const [isComplete, setComplete] = useState(false)
  const error = blockingError(read)
  if (error) throw error
  if (!newest) return <Skeleton height="6lh" />
  // New entries may have been added since older pages were loaded, so pages can overlap.
  const ids = new Set(newest.map(({ id }) => id))
  const entries = [...newest, ...olderEntries.filter(({ id }) => !ids.has(id))]
  const more = async (): Promise<void> => {
    setBusy(true)
    try {
      const page = await readAudit(area, entries.at(-1)?.id ?? null)
      setOlderEntries([...olderEntries, ...page])
      setComplete(page.length < auditPageSize)
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
      {newest.length === auditPageSize && !isComplete && (
        <Button look="quiet" busy={busy} onClick={() => void more()}>
          {t('audit.more')}
        </Button>
      )}
    </>
  )
}

/** An item's name, with its ID on hover. Shows the ID if the name is unknown. */
const NamedItem = ({ id, name }: { readonly id: string | null; readonly name: string | null }) => (
  <bdi title={name === null ? undefined : (id ?? undefined)}>{name ?? id}</bdi>
)

const Entry = ({ entry }: { readonly entry: AuditEntry }) => {
  const { at, actor, action, target, details, names, address } = entry
  // In an entry for a created item, a null carries no information. In an entry for a changed item, it means that the value was
  // removed.
  const detailTexts = Object.entries(details).filter(([, value]) => value !== null || !action.endsWith('.create'))
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
          <code>{action}</code> {(target.name ?? target.id) !== null && <NamedItem id={target.id} name={target.name} />}
        </span>
        {detailTexts.length > 0 && (
          <span className={log['facts']}>
            {detailTexts.map(([name, value], i) => (
              <Fragment key={name}>
                {i > 0 && ' · '}
                {name}: {names[name] === undefined ? String(value ?? '–') : <NamedItem id={String(value)} name={names[name]} />}
              </Fragment>
            ))}
          </span>
        )}
      </div>
      {address !== null && <span className={log['address']}>{address}</span>}
    </li>
  )
}
