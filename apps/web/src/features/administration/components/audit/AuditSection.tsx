import type { AuditEntry } from '@postil/contract/audit.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createElement, Fragment, useState } from 'react'
import { formatCount, formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { toastProblem } from '#ui/feedback/toast.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { usersQuery } from '../../api.ts'
import type { AuditFilters } from '../../audit-api.ts'
import { auditAreas, auditPageSize, auditQuery, LAST_DAY, readAudit } from '../../audit-api.ts'
import { mark, meansKey, partsOf, sentenceKey } from '../../audit-sentences.ts'
import styles from '../AdministrationPage.module.css'
import { SectionHeader } from '../SectionHeader.tsx'
import log from './AuditSection.module.css'

export const AuditSection = () => {
  const { t } = useTranslation('features/administration')
  const { data: users = [] } = useQuery(usersQuery())
  const [filters, setFilters] = useState<AuditFilters>({ area: null, person: null, from: '', to: '' })
  const change = (changed: Partial<AuditFilters>): void => setFilters({ ...filters, ...changed })
  const areas = [
    { value: '' as const, label: t('audit.all') },
    ...auditAreas.map((one) => ({ value: one, label: t(`audit.area.${one}`) })),
  ]
  const people = [{ value: '', label: t('audit.everyone') }, ...users.map(({ id, username }) => ({ value: id, label: username }))]
  return (
    <>
      <SectionHeader title={t('section.audit')} />
      <div className={log['filters']}>
        <Select
          label={t('audit.show')}
          value={filters.area ?? ''}
          options={areas}
          onChange={(area) => change({ area: area || null })}
        />
        <Select
          label={t('audit.person')}
          value={filters.person ?? ''}
          options={people}
          onChange={(person) => change({ person: person || null })}
        />
        <Input
          label={t('audit.from')}
          type="date"
          max={LAST_DAY}
          value={filters.from}
          onChange={({ target }) => change({ from: target.value })}
        />
        <Input
          label={t('audit.to')}
          type="date"
          max={LAST_DAY}
          value={filters.to}
          onChange={({ target }) => change({ to: target.value })}
        />
      </div>
      <Entries key={JSON.stringify(filters)} filters={filters} />
    </>
  )
}

const Entries = ({ filters }: { readonly filters: AuditFilters }) => {
  const { t } = useTranslation('features/administration')
  const read = useQuery(auditQuery(filters))
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
      const page = await readAudit(filters, entries.at(-1)?.id ?? null)
      setOlderEntries([...olderEntries, ...page])
      setComplete(page.length < auditPageSize)
    } catch (problem) {
      toastProblem(problem)
    } finally {
      setBusy(false)
    }
  }
  const isFiltered = Object.values(filters).some(Boolean)
  return (
    <>
      <p className={styles['none']}>
        {entries.length > 0 ? t('audit.explain') : isFiltered ? t('audit.noMatches') : t('audit.none')}
      </p>
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

/** Matches the keys of details that list people. */
const listedPerson = /^(?:to_|mapping\.annotators_)?user_\d+_id$/

/** An entry of the audit log as a sentence. If a user hovers over a name in it, the ID is shown. */
const Sentence = ({ entry }: { readonly entry: AuditEntry }) => {
  const { t } = useTranslation('features/administration')
  const { actor, action, target, details, names } = entry
  if (action === 'sign_ins.failed' && actor.id === null) return t('audit.sentence.unknownName')
  const named = (key: string) => ({ id: String(details[key] ?? ''), name: names[key] ?? null })
  const people = Object.keys(details).filter((key) => listedPerson.test(key))
  const items: { readonly [name: string]: ReactNode } = {
    actor: (
      <bdi className={log['actor']} title={actor.id ?? undefined}>
        {actor.name}
      </bdi>
    ),
    target: (target.name ?? target.id) !== null && <NamedItem id={target.id} name={target.name} />,
    action: <code>{action}</code>,
    user: <NamedItem {...named('user_id')} />,
    workspace: <NamedItem {...named('workspace_id')} />,
    dataset: <NamedItem {...named('dataset_id')} />,
    from: <NamedItem {...named('from_user_id')} />,
    people:
      people.length === 0
        ? t('audit.nobody')
        : people.map((key, i) => (
            <Fragment key={key}>
              {i > 0 && ', '}
              <NamedItem {...named(key)} />
            </Fragment>
          )),
  }
  const marks = Object.fromEntries(Object.keys(items).map((name) => [name, mark(name)]))
  const importsAnswers = action === 'imports.start' && people.length > 0
  const sentence = importsAnswers
    ? t('audit.sentence.imports-start-answers', marks)
    : t(`audit.sentence.${sentenceKey(action)}`, marks)
  return createElement(Fragment, null, ...partsOf(sentence).map((part) => ('name' in part ? items[part.name] : part.text)))
}

/** Shows how a user signed in, and how many times within an hour. */
const SignInFacts = ({ details }: Pick<AuditEntry, 'details'>) => {
  const { t } = useTranslation('features/administration')
  const means = meansKey(details['means'])
  const [times, last] = [Number(details['times'] ?? 1), details['last_at']]
  const facts = [
    ...(means === undefined ? [] : [t(`audit.means.${means}`)]),
    ...(times > 1 && typeof last === 'string'
      ? [t('audit.times', { count: times, formatted: formatCount(times), time: formatDateTime(last) })]
      : []),
  ]
  return <span className={log['facts']}>{facts.join(' · ')}</span>
}

const Entry = ({ entry }: { readonly entry: AuditEntry }) => {
  const { t } = useTranslation('features/administration')
  const { at, action, details, names, address } = entry
  const isSignIn = action.startsWith('sign_ins.')
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
          <Sentence entry={entry} />
        </span>
        {isSignIn && <SignInFacts details={details} />}
        {!isSignIn && detailTexts.length > 0 && (
          <details className={log['facts']}>
            <summary>{t('audit.details')}</summary>
            {detailTexts.map(([name, value], i) => (
              <Fragment key={name}>
                {i > 0 && ' · '}
                {name}: {names[name] === undefined ? String(value ?? '–') : <NamedItem id={String(value)} name={names[name]} />}
              </Fragment>
            ))}
          </details>
        )}
      </div>
      {address !== null && <span className={log['address']}>{address}</span>}
    </li>
  )
}
