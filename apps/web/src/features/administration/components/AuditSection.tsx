import type { AuditEntry } from '@postil/contract/audit.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#i18n/format.ts'
import { Button } from '#ui/Button.tsx'
import { Select } from '#ui/Select.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { AuditArea } from '../audit-api.ts'
import { auditAreas, auditQuery } from '../audit-api.ts'
import styles from './AdministrationPage.module.css'
import log from './AuditSection.module.css'

/** Who did what to the server, its people and its datasets. Nobody can change it. */
export const AuditSection = () => {
  const { t } = useTranslation('features/administration')
  const [area, setArea] = useState<AuditArea | ''>('')
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(auditQuery(area || null))
  if (error) throw error
  const entries = data?.pages.flat()
  const areas = [
    { value: '' as const, label: t('audit.all') },
    ...auditAreas.map((one) => ({ value: one, label: t(`audit.area.${one}`) })),
  ]
  return (
    <>
      <div className={styles['head']}>
        <h2 id="section-title" className={styles['sectionTitle']}>
          {t('section.audit')}
        </h2>
        <Select label={t('audit.show')} value={area} options={areas} onChange={setArea} />
      </div>
      <p className={styles['none']}>{entries?.length === 0 ? t('audit.none') : t('audit.explain')}</p>
      {!entries && <Skeleton height="6lh" />}
      {entries && entries.length > 0 && (
        <ol className={log['entries']} aria-labelledby="section-title">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {hasNextPage && (
        <Button look="quiet" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('audit.more')}
        </Button>
      )}
    </>
  )
}

const Entry = ({ entry }: { readonly entry: AuditEntry }) => {
  const { at, actor, action, target, details, address } = entry
  // What was left out of something new says nothing; of something changed it says that it was taken away.
  const told = Object.entries(details).filter(([, value]) => value !== null || !action.endsWith('.create'))
  const facts = told.map(([name, value]) => `${name}: ${value ?? '–'}`)
  return (
    <li className={log['entry']}>
      <time dateTime={`${at}Z`} className={log['time']}>
        {formatDateTime(at)}
      </time>
      <div className={log['what']}>
        <span>
          <bdi className={log['actor']}>{actor.name}</bdi> <code>{action}</code>{' '}
          {(target.name ?? target.id) !== null && <bdi className={log['target']}>{target.name ?? target.id}</bdi>}
        </span>
        {facts.length > 0 && <span className={log['facts']}>{facts.join(' · ')}</span>}
      </div>
      {address !== null && <span className={log['address']}>{address}</span>}
    </li>
  )
}
