import type { Instance } from '@postil/contract/info.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useId } from 'react'
import { formatAgo, formatCount, formatDateTime, formatPercent } from '#i18n/format.ts'
import { formatBytes } from '#i18n/format-bytes.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Notice } from '#ui/feedback/Notice.tsx'
import { ProgressBar } from '#ui/loading/ProgressBar.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { CompletedIcon } from '#ui/marks/icons.tsx'
import { instanceQuery } from '../../instance-api.ts'
import { SectionHeader } from '../SectionHeader.tsx'
import own from './Instance.module.css'

/** A warning is shown if the free fraction of the disk, or the number of free bytes, is below its limit. */
const [lowSpaceShare, lowSpaceBytes] = [0.05, 1_000_000_000]

const engines: { readonly [name: string]: string } = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
/** Removes the build details from PostgreSQL's version string. */
const shortVersion = (version: string): string => /\d+(?:\.\d+)*/.exec(version)?.[0] ?? version

/** The state of the server, its database and its disk. Refreshed while the section is open. */
export const InstanceSection = () => {
  const { t } = useTranslation('features/administration')
  const { data, error } = useQuery(instanceQuery())
  if (error && !data) throw error
  return (
    <>
      <SectionHeader title={t('section.instance')} />
      {data ? <Facts instance={data} isStale={error !== null} /> : <Skeleton height="12lh" />}
    </>
  )
}

const Facts = ({ instance, isStale }: { readonly instance: Instance; readonly isStale: boolean }) => {
  const { t } = useTranslation('features/administration')
  const { store, content, jobs, deliveries, disk, memory } = instance
  const isFull = disk !== null && (disk.free / disk.total < lowSpaceShare || disk.free < lowSpaceBytes)
  return (
    <div className={own['facts']}>
      <div role="status" className={own['notices']}>
        {isStale ? (
          <Notice kind="danger">{t('instance.away')}</Notice>
        ) : instance.ready ? (
          <Notice icon={CompletedIcon}>{t('instance.ready')}</Notice>
        ) : (
          <Notice kind="danger">{t('instance.notReady')}</Notice>
        )}
        {isFull && <Notice kind="warning">{t('instance.diskFull', { free: formatBytes(disk.free) })}</Notice>}
      </div>
      <Group title={t('instance.program')}>
        <Fact name={t('instance.version')}>Postil {instance.version}</Fact>
        <Fact name={t('instance.wire')}>{instance.wire_version}</Fact>
        <Fact name={t('instance.node')}>{instance.node_version}</Fact>
        <Fact name={t('instance.started')}>
          {formatDateTime(instance.started_at)} ({formatAgo(instance.started_at, Date.now())})
        </Fact>
        <Fact name={t('instance.memory')}>
          {t('instance.memoryOf', { rss: formatBytes(memory.rss), heap: formatBytes(memory.heap) })}
        </Fact>
      </Group>
      <Group title={t('instance.store')}>
        {store && (
          <>
            <Fact name={t('instance.engine')}>
              {engines[store.engine] ?? store.engine} {shortVersion(store.version)}
            </Fact>
            {store.bytes !== null && <Fact name={t('instance.size')}>{formatBytes(store.bytes)}</Fact>}
            {store.schema !== null && <Fact name={t('instance.schema')}>{store.schema}</Fact>}
          </>
        )}
        {disk && (
          <Fact name={t('instance.disk')}>
            <ProgressBar
              label={t('instance.diskUsed')}
              value={disk.total - disk.free}
              total={disk.total}
              text={t('instance.diskFree', {
                free: formatBytes(disk.free),
                total: formatBytes(disk.total),
                share: formatPercent(disk.free / disk.total),
              })}
            />
          </Fact>
        )}
      </Group>
      {content && (
        <Group title={t('instance.content')}>
          <Fact name={t('instance.users')}>{formatCount(content.users)}</Fact>
          <Fact name={t('instance.workspaces')}>{formatCount(content.workspaces)}</Fact>
          <Fact name={t('instance.datasets')}>{formatCount(content.datasets)}</Fact>
          <Fact name={t('instance.records')}>{formatCount(content.records)}</Fact>
        </Group>
      )}
      {jobs && deliveries && (
        <Group title={t('instance.work')}>
          <Fact name={t('instance.jobs')}>
            {t('instance.jobCounts', {
              running: formatCount(jobs.running),
              waiting: formatCount(jobs.waiting),
              failed: formatCount(jobs.failed),
            })}{' '}
            <Link to="/administration" search={{ tab: 'jobs' }}>
              {t('instance.seeJobs')}
            </Link>
          </Fact>
          <Fact name={t('instance.deliveries')}>
            {deliveries.oldest_at === null
              ? t('instance.noDeliveries')
              : t('instance.deliveryCounts', {
                  count: deliveries.waiting,
                  formatted: formatCount(deliveries.waiting),
                  since: formatAgo(deliveries.oldest_at, Date.now()),
                })}
            {deliveries.given_up > 0 && (
              <>
                {' '}
                {t('instance.givenUp', { count: deliveries.given_up, formatted: formatCount(deliveries.given_up) })}{' '}
                <Link to="/administration" search={{ tab: 'webhooks' }}>
                  {t('instance.seeWebhooks')}
                </Link>
              </>
            )}
          </Fact>
        </Group>
      )}
    </div>
  )
}

const Group = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={own['title']}>
        {title}
      </h3>
      <dl className={own['list']}>{children}</dl>
    </section>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className={own['fact']}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
