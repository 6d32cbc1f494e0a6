# The service as `npm run dev` serves it, with its tax data loaded: for a look and for tests of your own shop.
# In production it runs on Cloudflare (docs/self-hosting.md). Keys and secrets are made at the first start.
#   docker build -t tax . && docker run -p 8787:8787 -v tax-state:/state tax
FROM node:24-bookworm-slim
WORKDIR /app
# workerd checks certificates of collectors' sources and of webhooks.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
# From here on nothing runs as root. A new volume takes its owner from the folder of the image.
RUN mkdir /state && chown node:node /app /state
USER node
COPY --chown=node:node package.json package-lock.json ./
COPY --chown=node:node client/package.json client/
RUN npm ci --no-audit --no-fund
COPY --chown=node:node . .
RUN npm run dev -- --prepare --persist-to /state
VOLUME /state
EXPOSE 8787
CMD ["npm", "run", "dev", "--", "--ip", "0.0.0.0", "--persist-to", "/state"]
