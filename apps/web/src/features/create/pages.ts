// biome-ignore lint/performance/noBarrelFile: the two pages share most of their code, so they are bundled into one file
export { ImportPage } from './components/import/ImportPage.tsx'
export { NewDatasetPage } from './components/NewDatasetPage.tsx'
