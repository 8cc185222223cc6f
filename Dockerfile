FROM python:3.13-slim
RUN useradd --create-home --uid 1000 tefuda
WORKDIR /app
COPY pyproject.toml README.md LICENSE constraints.txt ./
COPY src src
COPY tools/metadata.py tools/metadata.py
RUN pip install --no-cache-dir --constraint constraints.txt '.[postgres,metrics]'
USER 1000
# Compiled rules and, without --db, the tables.
VOLUME /home/tefuda
EXPOSE 8000
HEALTHCHECK --start-period=60s CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/readyz', timeout=3)"]
ENTRYPOINT ["tefuda", "serve", "--host", "0.0.0.0"]
