import type { ImportFile } from '@postil/contract/files/imports.ts'
import type { Home } from '@postil/contract/home.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate, notFound } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useUser } from '#features/auth/public.ts'
import { homeQuery } from '#features/home/public.ts'
import { repoIdOf } from '#features/hub/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import { isUnknownDataset } from '#lib/api/dataset-queries.ts'
import { loadFile } from '#lib/net/load-file.ts'
import { Crumbs } from '#lib/shell/Crumbs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { toastProblem } from '#ui/feedback/toast.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { storedFileQuery, storedQuery } from '../api.ts'
import { withFittingConditions } from '../conditions.ts'
import { freeNameIn, stemOf, takenNames } from '../dataset-name.ts'
import type { Draft } from '../draft.ts'
import { newDraft, withFile } from '../draft.ts'
import type { TemplateName } from '../templates/template-names.ts'
import { formKey, useUnsavedDatasetForm } from '../unsaved-form.ts'
import type { FileInForm } from '../use-creation.ts'
import { useUpload } from '../use-upload.ts'
import type { Stored } from '../wire.ts'
import { draftOf, fileIdOf, fileNameOf, hubOf } from '../wire.ts'
import { HubSession } from './hub/HubSession.tsx'
import styles from './NewDatasetPage.module.css'
import { StartChoice } from './StartChoice.tsx'
import { DatasetForm } from './sections/DatasetForm.tsx'

const route = getRouteApi('/inside/new/{-$datasetId}')

/** The draft that was saved from the current form. If the URL contains this draft's ID, the form already shows the draft. */
type SavedDraft = { readonly id: string; readonly hub: string | null }

/** Returns what a URL refers to: a Hub dataset, a draft to continue, or neither. */
const interpretAddress = (datasetId: string | undefined, savedDraft: SavedDraft | null) => {
  const repoId = datasetId === undefined ? null : repoIdOf(datasetId)
  const isSavedDraft = savedDraft !== null && datasetId === savedDraft.id
  return {
    hub: repoId ?? (isSavedDraft ? savedDraft.hub : null),
    resumedId: datasetId !== undefined && repoId === null && !isSavedDraft ? datasetId : null,
  }
}

/**
 * Reads the draft dataset that the user continues. Publishing the draft clears the cached data, but the form must stay on the
 * screen until the page of the import opens. The data is therefore also kept here.
 */
const useStored = (id: string | null) => {
  const [draft, setDraft] = useState<Stored | null>(null)
  const { data, error } = useQuery({ ...storedQuery(id ?? ''), enabled: id !== null })
  if (data?.dataset.status === 'draft' && data !== draft) setDraft(data)
  return { error, data: draft?.dataset.id === id ? draft : data }
}

/** Creates a dataset from a file, from the Hub or from scratch, or continues a draft. */
export const NewDatasetPage = () => {
  const { t } = useTranslation('features/create')
  const { datasetId } = route.useParams()
  const { role } = useUser()
  const [savedDraft, setSavedDraft] = useState<SavedDraft | null>(null)
  const { hub, resumedId } = interpretAddress(datasetId, savedDraft)
  const home = useQuery(homeQuery())
  const read = useStored(resumedId)
  const { data: stored } = read
  const title = resumedId === null ? t('title') : t('titleOfDraft')
  useDocumentTitle(title)
  const error = blockingError(read, home)
  if (resumedId !== null && isUnknownDataset(read.error)) throw notFound()
  if (error) throw error
  if (resumedId !== null && stored?.dataset.status === 'ready')
    return <Navigate to="/dataset/$datasetId/annotation-mode" params={{ datasetId: resumedId }} replace />
  const isWithoutWorkspace = home.data?.workspaces.length === 0 && role !== 'owner'
  const isReady = home.data !== undefined && (resumedId === null || stored !== undefined)
  return (
    <main id="main" tabIndex={-1} className={styles['page']} aria-busy={!isReady}>
      <HeaderContent crumbs={<Crumbs crumbs={[{ label: title, link: { to: '/new' } }]} />} />
      <h1 className={styles['title']}>{title}</h1>
      {isWithoutWorkspace && (
        <div className={styles['notice']}>
          <Notice kind="warning">{t('noWorkspace')}</Notice>
        </div>
      )}
      {isReady && home.data ? (
        <AnySourceSession
          home={home.data}
          hub={hub}
          stored={resumedId === null ? null : (stored ?? null)}
          savedDraftId={savedDraft?.id ?? null}
          onDraftSaved={setSavedDraft}
        />
      ) : (
        <Skeleton height="9lh" />
      )}
    </main>
  )
}

type AnySourceProps = {
  readonly home: Home
  /** The Hub repository that the dataset is created from, or null. */
  readonly hub: string | null
  /** The draft to continue, or null. */
  readonly stored: Stored | null
  readonly savedDraftId: string | null
  readonly onDraftSaved: (savedDraft: SavedDraft) => void
}

/**
 * Clients write `None` for missing values. Validation can't remove `None`, because the router keeps the original parameters in
 * addition to the validated ones.
 */
const normalizeParam = (part: string | undefined): string | null => (part === undefined || part === 'None' ? null : part)

const AnySourceSession = ({ home, hub, stored, savedDraftId, onDraftSaved }: AnySourceProps) => {
  const { subset, split } = route.useSearch()
  const storedHub = stored && hubOf(stored.dataset)
  const name = storedHub?.name ?? hub
  const common = {
    home,
    storedId: stored?.dataset.id ?? savedDraftId,
    initial: stored && draftOf(stored),
    onSaved: (id: string) => onDraftSaved({ id, hub: name }),
  }
  const key = stored?.dataset.id ?? 'new'
  const fileId = stored && fileIdOf(stored.dataset)
  const uploaded = useQuery({ ...storedFileQuery(fileId ?? ''), enabled: fileId !== null })
  if (fileId !== null && uploaded.isPending) return <Skeleton height="9lh" />
  return name === null ? (
    <Session key={key} {...common} fileName={stored && fileNameOf(stored.dataset)} uploaded={uploaded.data ?? null} />
  ) : (
    <HubSession
      key={`${name} ${key}`}
      {...common}
      name={name}
      requestedPart={storedHub ?? { subset: normalizeParam(subset), split: normalizeParam(split) }}
    />
  )
}

type SessionProps = {
  readonly home: Home
  readonly storedId: string | null
  /** The draft to continue; null for a new one. */
  readonly initial: Draft | null
  /** The name of the file that the draft was created from, or null. */
  readonly fileName: string | null
  /**
   * The upload of the file that the draft was created from. Null if there is none, if it no longer exists, or if it belongs to
   * another user.
   */
  readonly uploaded: ImportFile | null
  readonly onSaved: (id: string) => void
}

const Session = ({ home, storedId, initial, fileName, uploaded, onSaved }: SessionProps) => {
  const restored = useUnsavedDatasetForm(formKey(storedId))
  const { from } = route.useSearch()
  const [draft, setDraft] = useState<Draft>(restored?.draft ?? initial ?? newDraft(home))
  const [file, setFile] = useState<FileInForm | null>(restored?.file ?? uploaded)
  const [hasStarted, setStarted] = useState(initial !== null || restored !== null || from === 'scratch')
  /** The template whose sample records are being uploaded. */
  const sample = useRef<{ readonly fileName: string; readonly draft: Draft } | null>(null)
  const upload = useUpload(null, (found) => {
    const template = sample.current?.fileName === found.name ? sample.current.draft : null
    setFile(found)
    setDraft((before) =>
      withFile(
        { ...(template ?? before), name: (template ?? before).name || freeNameIn(home, stemOf(found.name)) },
        found.columns,
      ),
    )
    setStarted(true)
  })
  const openTemplate = async (name: TemplateName, withSample: boolean): Promise<void> => {
    try {
      const { draftFrom, sampleFile } = await loadFile(() => import('../templates/templates.ts'))
      const template = draftFrom(draft, name, takenNames(home))
      if (withSample) {
        const records = sampleFile(name)
        sample.current = { fileName: records.name, draft: template }
        upload.start(records)
      } else {
        setDraft(template)
        setStarted(true)
      }
    } catch (error) {
      toastProblem(error)
    }
  }
  if (!hasStarted)
    return <StartChoice home={home} upload={upload} from={from} onStartEmpty={() => setStarted(true)} onTemplate={openTemplate} />
  return (
    <DatasetForm
      home={home}
      storedId={storedId}
      initial={initial}
      draft={draft}
      file={file}
      upload={upload}
      fileName={fileName}
      onChange={(next) => setDraft((before) => withFittingConditions(before, next))}
      onFile={setFile}
      onSaved={onSaved}
    />
  )
}
