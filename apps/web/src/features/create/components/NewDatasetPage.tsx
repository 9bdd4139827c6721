import type { ImportFile } from '@postil/contract/files/imports.ts'
import type { Home } from '@postil/contract/home.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate, notFound } from '@tanstack/react-router'
import { useState } from 'react'
import { useUser } from '#features/auth/service.ts'
import { homeQuery } from '#features/home/service.ts'
import { repoIdOf } from '#features/hub/service.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isUnknownDataset } from '#lib/api/dataset-queries.ts'
import { unread } from '#lib/api/unread.ts'
import { Crumbs } from '#lib/shell/Crumbs.tsx'
import { InHeader } from '#lib/shell/header-slots.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { Notice } from '#ui/telling/Notice.tsx'
import { Skeleton } from '#ui/waiting/Skeleton.tsx'
import { keptFileQuery, storedQuery } from '../api.ts'
import type { Draft } from '../draft.ts'
import { freshDraft, withFile } from '../draft.ts'
import { nameOfForm, useKeptForm } from '../kept-form.ts'
import { stemOf } from '../stem.ts'
import type { FileInForm } from '../use-creation.ts'
import { useUpload } from '../use-upload.ts'
import type { Stored } from '../wire.ts'
import { draftOf, fileIdOf, fileNameOf, hubOf } from '../wire.ts'
import { HubSession } from './hub/HubSession.tsx'
import styles from './NewDatasetPage.module.css'
import { StartChoice } from './StartChoice.tsx'
import { DatasetForm } from './sections/DatasetForm.tsx'

const route = getRouteApi('/inside/new/{-$datasetId}')

/** The draft that the form on the screen has been saved as: its address is no other form. */
type Own = { readonly id: string; readonly hub: string | null }

/** What an address means: a dataset of the hub, a draft that is taken up again, or neither. */
const meant = (datasetId: string | undefined, own: Own | null) => {
  const named = datasetId === undefined ? null : repoIdOf(datasetId)
  const isOwn = own !== null && datasetId === own.id
  return {
    hub: named ?? (isOwn ? own.hub : null),
    takenUp: datasetId !== undefined && named === null && !isOwn ? datasetId : null,
  }
}

/** Makes a dataset from a file, from the hub or from nothing, or goes on with one that is a draft yet. */
export const NewDatasetPage = () => {
  const { t } = useTranslation('features/create')
  const { datasetId } = route.useParams()
  const { role } = useUser()
  const [own, setOwn] = useState<Own | null>(null)
  const { hub, takenUp } = meant(datasetId, own)
  const home = useQuery(homeQuery())
  const stored = useQuery({ ...storedQuery(takenUp ?? ''), enabled: takenUp !== null })
  const title = takenUp === null ? t('title') : t('titleOfDraft')
  useDocumentTitle(title)
  const error = unread(stored, home)
  if (takenUp !== null && isUnknownDataset(stored.error)) throw notFound()
  if (error) throw error
  if (takenUp !== null && stored.data?.dataset.status === 'ready')
    return <Navigate to="/dataset/$datasetId/annotation-mode" params={{ datasetId: takenUp }} replace />
  const isWithoutWorkspace = home.data?.workspaces.length === 0 && role !== 'owner'
  const isReady = home.data !== undefined && (takenUp === null || stored.data !== undefined)
  return (
    <main id="main" tabIndex={-1} className={styles['page']} aria-busy={!isReady}>
      <InHeader crumbs={<Crumbs crumbs={[{ label: title, link: { to: '/new' } }]} />} />
      <h1 className={styles['title']}>{title}</h1>
      {isWithoutWorkspace && (
        <div className={styles['notice']}>
          <Notice kind="warning">{t('noWorkspace')}</Notice>
        </div>
      )}
      {isReady && home.data ? (
        <AnySession
          home={home.data}
          hub={hub}
          stored={takenUp === null ? null : (stored.data ?? null)}
          ownId={own?.id ?? null}
          onOwn={setOwn}
        />
      ) : (
        <Skeleton height="9lh" />
      )}
    </main>
  )
}

type AnyProps = {
  readonly home: Home
  /** Id of the repository of the hub that the dataset is made of. */
  readonly hub: string | null
  /** The draft that is taken up again. */
  readonly stored: Stored | null
  readonly ownId: string | null
  readonly onOwn: (own: Own) => void
}

/** Clients write `None` for what they do not say, and the router keeps the text of the address beside what the route reads of it. */
const said = (part: string | undefined): string | null => (part === undefined || part === 'None' ? null : part)

const AnySession = ({ home, hub, stored, ownId, onOwn }: AnyProps) => {
  const { subset, split } = route.useSearch()
  const from = stored && hubOf(stored.dataset)
  const name = from?.name ?? hub
  const common = {
    home,
    storedId: stored?.dataset.id ?? ownId,
    initial: stored && draftOf(stored),
    onSaved: (id: string) => onOwn({ id, hub: name }),
  }
  const key = stored?.dataset.id ?? 'new'
  const fileId = stored && fileIdOf(stored.dataset)
  const uploaded = useQuery({ ...keptFileQuery(fileId ?? ''), enabled: fileId !== null })
  if (fileId !== null && uploaded.isPending) return <Skeleton height="9lh" />
  return name === null ? (
    <Session key={key} {...common} fileName={stored && fileNameOf(stored.dataset)} uploaded={uploaded.data ?? null} />
  ) : (
    <HubSession key={`${name} ${key}`} {...common} name={name} wanted={from ?? { subset: said(subset), split: said(split) }} />
  )
}

type SessionProps = {
  readonly home: Home
  readonly storedId: string | null
  /** The draft that is taken up again; null for a new one. */
  readonly initial: Draft | null
  /** The name of the file that it was made of; null where it is of none. */
  readonly fileName: string | null
  /** That file; null where it is not kept any more, or only for somebody else. */
  readonly uploaded: ImportFile | null
  readonly onSaved: (id: string) => void
}

const Session = ({ home, storedId, initial, fileName, uploaded, onSaved }: SessionProps) => {
  const left = useKeptForm(nameOfForm(storedId))
  const [draft, setDraft] = useState<Draft>(left?.draft ?? initial ?? freshDraft(home))
  const [file, setFile] = useState<FileInForm | null>(left?.file ?? uploaded)
  const [isBegun, setBegun] = useState(initial !== null || left !== null)
  const upload = useUpload(null, (found) => {
    setFile(found)
    setDraft((before) => withFile({ ...before, name: before.name || stemOf(found.name) }, found.columns))
    setBegun(true)
  })
  if (!isBegun) return <StartChoice home={home} upload={upload} onNothing={() => setBegun(true)} />
  return (
    <DatasetForm
      home={home}
      storedId={storedId}
      initial={initial}
      draft={draft}
      file={file}
      upload={upload}
      fileName={fileName}
      onChange={setDraft}
      onFile={setFile}
      onSaved={onSaved}
    />
  )
}
