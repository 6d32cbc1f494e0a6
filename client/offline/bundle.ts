// One file of the package has the engine, for both entries.
export { createOffline, SnapshotError, takeOfflineData } from './offline.ts'
export { fakeServiceWith } from './fake-service.ts'
