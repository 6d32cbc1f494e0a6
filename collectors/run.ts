import type { Bindings } from '../src/platform/bindings.ts'
import type { Collector } from './collector.ts'
import { type PipelineOptions, runCollector, type RunResult } from './pipeline.ts'
import { runSeries } from './run-series.ts'
import type { RateSeries } from './series.ts'

/** Runs the collector of a region: of tax facts, or of a series of exchange rates. */
export function runRegion(
  env: Pick<Bindings, 'DB' | 'KV'>,
  collector: Collector | RateSeries,
  options: PipelineOptions,
): Promise<RunResult> {
  return 'series' in collector ? runSeries(env, collector, options) : runCollector(env, collector, options)
}
