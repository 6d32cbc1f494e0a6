# The service on your own machine, without a Cloudflare account: docs/own-machine.md.
#   docker build -t tax-compliance .
#   docker run -d --name tax -p 127.0.0.1:8787:8787 -v tax-data:/data --restart unless-stopped tax-compliance
#   docker exec tax npm run -s keys -- create --account Acme --tier pro --scopes '*' --persist-to /data
# A digest of the image of Node for amd64 and arm64: a tag can be moved, a digest cannot.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20

FROM ${NODE_IMAGE} AS built
WORKDIR /app
COPY package.json package-lock.json ./
COPY client/package.json client/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM ${NODE_IMAGE}
WORKDIR /app
# workerd checks certificates of collectors' sources and of webhooks.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
# From here on nothing runs as root. A new volume takes its owner from the folder of the image.
RUN mkdir /data && chown node:node /app /data
USER node
COPY --chown=node:node package.json package-lock.json ./
COPY --chown=node:node client/package.json client/
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
COPY --chown=node:node wrangler.toml wrangler.own.tom[l] ./
COPY --chown=node:node scripts scripts
COPY --chown=node:node collectors collectors
COPY --chown=node:node data data
COPY --chown=node:node migrations migrations
COPY --chown=node:node --from=built /app/src src
COPY --chown=node:node --from=built /app/public public
COPY --chown=node:node --from=built /app/dist/worker dist/worker
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=20s --start-period=120s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8787/health').then(({ ok }) => process.exit(ok ? 0 : 1))"]
# Not through npm, so that the signal to end reaches the service.
CMD ["node", "--disable-warning=ExperimentalWarning", "scripts/serve.ts", "--ip", "0.0.0.0", "--persist-to", "/data"]
